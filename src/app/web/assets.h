/* assets: the files of the web UI, compiled in from web/dist. */
#ifndef TETROPT_WEB_ASSETS_H
#define TETROPT_WEB_ASSETS_H

#include <stddef.h>

typedef struct Asset {
    const char *path; /* as asked for: "/", "/app.js" */
    const char *type;
    const unsigned char *bytes;
    size_t length;
} Asset;

/* Ends with a row whose path is NULL. */
extern const Asset web_assets[];

/* The file at a path, or NULL. */
const Asset *asset_find(const char *path);

#endif
