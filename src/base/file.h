/* Whole files: read a stream to its end; hash a file; create a file and notice when it could not be written. */
#ifndef HD_BASE_FILE_H
#define HD_BASE_FILE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>

/* The rest of the stream, followed by a zero byte that `size` does not count. The text lives in the
 * arena. After a read error (ferror) it is what came before. */
char *hd_file_read(FILE *in, hd_arena *arena, size_t *size);

/* A new file to write to, or NULL with an error. */
FILE *hd_file_create(const char *name, hd_error *error);

/* Closes it. False: something that was written to it is lost. */
bool hd_file_close(FILE *out, const char *name, hd_error *error);

/* A hash of the file's contents; false: it cannot be read. */
bool hd_file_hash(const char *path, uint64_t *hash);

#endif
