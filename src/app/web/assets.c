/* assets: finds a file in the table that scripts/embed-files writes, and compares headers with it.
 */
#include "web/assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const Asset *asset_find(const char *path) {
    for (const Asset *asset = web_assets; asset->path; asset++)
        if (strcmp(asset->path, path) == 0)
            return asset;
    return NULL;
}

/* The next item of a list with commas, without the spaces around it; NULL: the end. */
static const char *next_item(const char **rest, size_t *length) {
    const char *item = *rest + strspn(*rest, ", \t");
    size_t all = strcspn(item, ",");
    *rest = item + all;
    while (all > 0 && strchr(" \t", item[all - 1]))
        all--;
    *length = all;
    return all > 0 ? item : NULL;
}

/* An item is a coding and perhaps its weight: "gzip;q=0.5"; "q=0" forbids it. */
static bool item_takes_gzip(const char *item, size_t length) {
    size_t name = strcspn(item, "; \t,");
    if (name != 4 || strncasecmp(item, "gzip", 4) != 0)
        return false;
    for (const char *at = item + name; at + 1 < item + length; at++)
        if ((*at == 'q' || *at == 'Q') && at[1] == '=')
            return strtod(at + 2, NULL) > 0;
    return true;
}

bool asset_takes_gzip(const char *accepted) {
    size_t length;
    const char *item;
    while (accepted && (item = next_item(&accepted, &length)))
        if (item_takes_gzip(item, length))
            return true;
    return false;
}

void asset_tag(const Asset *asset, bool gzip, char tag[static ASSET_TAG_BYTES]) {
    snprintf(tag, ASSET_TAG_BYTES, "\"%s%s\"", asset->tag, gzip ? "-gzip" : "");
}

bool asset_is_known(const char *tags, const char *tag) {
    size_t length;
    const char *item;
    while (tags && (item = next_item(&tags, &length))) {
        bool weak = length > 2 && strncmp(item, "W/", 2) == 0; /* as good, for a copy */
        const char *value = weak ? item + 2 : item;
        length -= weak ? 2 : 0;
        if ((length == 1 && *value == '*') ||
            (length == strlen(tag) && memcmp(value, tag, length) == 0))
            return true;
    }
    return false;
}
