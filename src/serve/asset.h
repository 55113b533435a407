/* The files of src/serve/html, embedded at build time, by the paths under which they are served. */
#ifndef HD_SERVE_ASSET_H
#define HD_SERVE_ASSET_H

#include <stddef.h>

typedef struct hd_serve_asset {
    const char *path, *type;
    const char *bytes; /* ends with a zero byte */
} hd_serve_asset;

/* NULL: there is none. */
const hd_serve_asset *hd_serve_asset_at(const char *path);

#endif
