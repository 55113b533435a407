/* Writes a file that is always complete: under another name first, which is renamed at the end. */
#ifndef HD_BASE_WHOLE_FILE_H
#define HD_BASE_WHOLE_FILE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>

typedef struct hd_whole_file {
    FILE *out;
    const char *path, *unfinished;
    const char *what; /* for errors: what cannot be written */
} hd_whole_file;

/* `what` is "the replay file " or "", for instance. */
bool hd_whole_file_open(hd_whole_file *f, const char *path, const char *what, hd_arena *arena, hd_error *error);

/* False: it could not be written; a file that was there before is unchanged. */
bool hd_whole_file_close(hd_whole_file *f, hd_error *error);

#endif
