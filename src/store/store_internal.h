/* What the files of the store share: the connection, and statements with one kind of error message. Only for this
 * folder.
 */
#ifndef HD_STORE_STORE_INTERNAL_H
#define HD_STORE_STORE_INTERNAL_H

#include "base/memory.h"
#include "store/store.h"

#include <sqlite3.h>

struct hd_store {
    sqlite3 *db;
    const char *path; /* the caller's */
};

/* Fails with what SQLite says. */
bool hd_store_fail(const hd_store *s, hd_error *error);

/* Runs statements without results. */
bool hd_store_run(hd_store *s, const char *sql, hd_error *error);

/* A statement whose parameters are bound to the given values in order, by one letter each: i (int64_t), d (double), t
 * (text, may be NULL). NULL: failed. */
sqlite3_stmt *hd_store_prepare(hd_store *s, hd_error *error, const char *sql, const char *types, ...);

/* The same for a statement without results, which is run. */
#define HD_STORE_DO(s, error, sql, ...) hd_store_finish(s, hd_store_prepare(s, error, sql, __VA_ARGS__), error)
bool hd_store_finish(hd_store *s, sqlite3_stmt *statement, hd_error *error);

/* Moves to the next row. False: there is none, or *failed. */
bool hd_store_next(hd_store *s, sqlite3_stmt *statement, bool *failed, hd_error *error);

/* A column as text; "": null. */
const char *hd_store_text(sqlite3_stmt *statement, int column);

#endif
