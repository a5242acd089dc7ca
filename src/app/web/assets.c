/* assets: finds a file in the table that scripts/embed-files writes. */
#include "web/assets.h"

#include <string.h>

const Asset *asset_find(const char *path) {
    for (const Asset *asset = web_assets; asset->path; asset++)
        if (strcmp(asset->path, path) == 0)
            return asset;
    return NULL;
}
