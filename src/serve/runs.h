/* Where runs come from: the results in a folder, and the database in it that keeps the runs of `heddle check`
 * (store/store.h). Everything that the server shows of runs goes through this interface.
 *
 * A name is a name of a file in the folder, never a path: it has no '/' and does not begin with a dot. Links are not
 * followed. So nothing outside the folder can be read. A name of digits is the number of a run in the database. */
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

/* Writes all runs as JSON: { runs: [{ name, modified, size, result }…], problem }, the newest first, where the result
 * has no steps and no sources. A run that is both in the database and in a file is listed once, as the file. `problem`
 * says why the database cannot be read, or is null. A list in which nothing has changed since the last one is not made
 * again. */
void hd_serve_runs_list(hd_serve_runs *r, FILE *out);

/* The whole result of a run in the arena; NULL: there is no such run. */
char *hd_serve_runs_read(const hd_serve_runs *r, const char *name, hd_arena *arena);

/* Is there a regular file of this name that ends so? */
bool hd_serve_runs_has(const hd_serve_runs *r, const char *name, const char *ending);

/* Writes the checks that report their progress into the folder (`heddle check --progress`): { name, lines, seconds }.
 * `seconds` have passed since the last line. */
void hd_serve_runs_progress(const hd_serve_runs *r, FILE *out);

#endif
