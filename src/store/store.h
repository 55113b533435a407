/* Runs that are kept: a database of the results of checks, for 'heddle runs'. The only user of SQLite.
 *
 * A run is added in one transaction: the result as JSON and as the data of its page, its findings, how the search went
 * over time, and the lines that it reached. The transaction is on the disk when hd_store_add returns, so what is shown
 * afterwards is durable; a crash leaves a whole run or none. Readers and a writer do not block each other (write-ahead
 * log); a second writer waits a while. A database of another program, or of a later heddle, is refused and left as it
 * is. */
#ifndef HD_STORE_STORE_H
#define HD_STORE_STORE_H

#include "base/error.h"
#include "base/memory.h"
#include "report/result.h"

#include <stdio.h>

typedef struct hd_store hd_store;

/* Opens the database at `path`; `create`: makes it if it is missing. NULL: it cannot be used. */
hd_store *hd_store_open(const char *path, bool create, hd_error *error);
void hd_store_close(hd_store *s);

/* Adds a run; *number is the new one. Of earlier runs, only so many remain that there are at most `most` (0: all). */
bool hd_store_add(
    hd_store *s, const hd_report_result *r, const char *version, int64_t most, int64_t *number, hd_error *error);

/* The runs, the latest first; what is known of one; its result as `heddle check --json` writes it. */
bool hd_store_list(hd_store *s, FILE *out, hd_error *error);
bool hd_store_show(hd_store *s, int64_t number, FILE *out, hd_error *error);
bool hd_store_export(hd_store *s, int64_t number, FILE *out, hd_error *error);

/* Calls `visit` for at most `most` runs, the latest first; `time` is when it ended, in seconds since 1970. */
typedef void hd_store_visit(void *context, int64_t number, double time);
bool hd_store_each(hd_store *s, int64_t most, hd_store_visit *visit, void *context, hd_error *error);

/* The data of a run's page (report/page_data.h) in the arena; NULL: there is none. */
char *hd_store_page(hd_store *s, int64_t number, hd_arena *arena, hd_error *error);

/* What the second run has found and the first has not, and the reverse. *more: it has found something new. */
bool hd_store_diff(hd_store *s, int64_t first, int64_t second, FILE *out, bool *more, hd_error *error);

/* Keeps the latest `kept` runs; *removed: how many it has removed. */
bool hd_store_prune(hd_store *s, int64_t kept, int64_t *removed, hd_error *error);

#endif
