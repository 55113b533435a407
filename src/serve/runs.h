/* Where runs come from: the results in a folder. Everything that the server shows of runs goes through this interface,
 * so another place to keep them (a database) needs no change elsewhere.
 *
 * A name is a name of a file in the folder, never a path: it has no '/' and does not begin with a dot. Links are not
 * followed. So nothing outside the folder can be read. */
#ifndef HD_SERVE_RUNS_H
#define HD_SERVE_RUNS_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>

typedef struct hd_serve_runs hd_serve_runs;

/* Makes the folder if there is none. */
hd_serve_runs *hd_serve_runs_open(const char *folder, hd_error *error);
void hd_serve_runs_close(hd_serve_runs *r);

const char *hd_serve_runs_folder(const hd_serve_runs *r);

/* Writes all runs as JSON, the newest first: { name, modified, size, result }, where the result has no steps and no
 * sources. A list in which nothing has changed since the last one is not made again. */
void hd_serve_runs_list(hd_serve_runs *r, FILE *out);

/* The whole result of a run in the arena; NULL: there is no such run. */
char *hd_serve_runs_read(const hd_serve_runs *r, const char *name, hd_arena *arena);

/* Is there a regular file of this name that ends so? */
bool hd_serve_runs_has(const hd_serve_runs *r, const char *name, const char *ending);

/* Writes the checks that report their progress into the folder (`heddle check --progress`): { name, lines, seconds }.
 * `seconds` have passed since the last line. */
void hd_serve_runs_progress(const hd_serve_runs *r, FILE *out);

#endif
