/* A stored result without its bulk: the text is copied, except for the members whose names are listed. So a list of
 * runs is made without knowing what else a result has. */
#ifndef HD_SERVE_DIGEST_H
#define HD_SERVE_DIGEST_H

#include <stdbool.h>
#include <stdio.h>

/* Copies the JSON value `text`; members called as one of `left_out` (ends with NULL) are not copied, at any depth.
 * False: the text is not JSON; what has been written until then is of no use. */
bool hd_serve_digest(const char *text, const char *const *left_out, FILE *out);

#endif
