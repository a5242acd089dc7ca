/*
 * assets: the files of the web UI, compiled in from web/dist as they are and compressed.
 *
 * A tag is a hash of the content, so a browser that has a file asks whether the tag is still the
 * same instead of loading the file again.
 */
#ifndef TETROPT_WEB_ASSETS_H
#define TETROPT_WEB_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Asset {
    const char *path; /* as asked for: "/", "/app.js" */
    const char *type;
    const char *tag; /* hexadecimal digits */
    const unsigned char *bytes;
    size_t length;
    const unsigned char *gzip; /* the same compressed */
    size_t gzip_length;
} Asset;

enum { ASSET_TAG_BYTES = 48 }; /* of an entity tag with its quotes */

/* Ends with a row whose path is NULL. */
extern const Asset web_assets[];

/* The file at a path, or NULL. */
const Asset *asset_find(const char *path);

/* True when a request with this Accept-Encoding (NULL: without one) takes gzip. */
bool asset_takes_gzip(const char *accepted);

/* The entity tag of a file as it is sent, which differs with its encoding. */
void asset_tag(const Asset *asset, bool gzip, char tag[static ASSET_TAG_BYTES]);

/* True when the If-None-Match of a request (NULL: without one) has this entity tag. */
bool asset_is_known(const char *tags, const char *tag);

#endif
