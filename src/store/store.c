#include "store/store_internal.h"

#include "report/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* "hddl"; the version of the tables. */
enum { APPLICATION = 0x6864646c, VERSION = 1, PATIENCE_MS = 2000 };

static const char tables[] =
    "CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT, seconds REAL, program TEXT, version TEXT,"
    " explorer TEXT, status INTEGER, complete INTEGER, bound TEXT, tests INTEGER, hunted INTEGER, verdict TEXT,"
    " result TEXT);"
    "CREATE TABLE findings (run INTEGER, kind TEXT, message TEXT, file TEXT, line INTEGER, replay TEXT,"
    " confirmed INTEGER, suppressed INTEGER);"
    "CREATE TABLE progress (run INTEGER, seconds REAL, tests INTEGER, hunted INTEGER, findings INTEGER, in_sight REAL);"
    "CREATE TABLE lines (run INTEGER, file TEXT, line INTEGER, executions INTEGER);"
    "CREATE INDEX findings_of ON findings (run);"
    "CREATE INDEX progress_of ON progress (run);"
    "CREATE INDEX lines_of ON lines (run);"
    "PRAGMA application_id = 1751409772;"
    "PRAGMA user_version = 1;";

_Static_assert(APPLICATION == 1751409772 && VERSION == 1, "the numbers in `tables`");

/* --- statements ------------------------------------------------------------------------------- */

bool hd_store_fail(const hd_store *s, hd_error *error)
{
    return hd_fail(error, "%s: %s", s->path, sqlite3_errmsg(s->db));
}

bool hd_store_run(hd_store *s, const char *sql, hd_error *error)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || hd_store_fail(s, error);
}

static void bind(sqlite3_stmt *statement, const char *types, va_list values)
{
    for (int i = 0; types[i]; i++)
        if (types[i] == 'i')
            sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        else if (types[i] == 'd')
            sqlite3_bind_double(statement, i + 1, va_arg(values, double));
        else
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
}

sqlite3_stmt *hd_store_prepare(hd_store *s, hd_error *error, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement;
    va_list values;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        hd_store_fail(s, error);
        return NULL;
    }
    va_start(values, types);
    bind(statement, types, values);
    va_end(values);
    return statement;
}

bool hd_store_finish(hd_store *s, sqlite3_stmt *statement, hd_error *error)
{
    if (!statement)
        return false;
    bool done = sqlite3_step(statement) == SQLITE_DONE || hd_store_fail(s, error);
    sqlite3_finalize(statement);
    return done;
}

bool hd_store_next(hd_store *s, sqlite3_stmt *statement, bool *failed, hd_error *error)
{
    int got = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    *failed = got != SQLITE_ROW && got != SQLITE_DONE;
    if (*failed && statement)
        hd_store_fail(s, error);
    return got == SQLITE_ROW;
}

const char *hd_store_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

/* --- opening ---------------------------------------------------------------------------------- */

static bool get_number(hd_store *s, const char *sql, int64_t *number, hd_error *error)
{
    bool failed;
    sqlite3_stmt *statement = hd_store_prepare(s, error, sql, "");
    *number = hd_store_next(s, statement, &failed, error) ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return !failed;
}

/* An empty database becomes one of heddle's. Two processes may try at the same time: the second sees the tables of the
 * first. */
static bool make_tables(hd_store *s, hd_error *error)
{
    int64_t objects;
    if (!hd_store_run(s, "BEGIN IMMEDIATE", error))
        return false;
    bool made = get_number(s, "SELECT count(*) FROM sqlite_master", &objects, error)
        && (objects || hd_store_run(s, tables, error)) && hd_store_run(s, "COMMIT", error);
    if (!made)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return made;
}

static bool check_kind(hd_store *s, bool create, hd_error *error)
{
    int64_t objects, application, version;
    if (!get_number(s, "SELECT count(*) FROM sqlite_master", &objects, error))
        return false;
    if (!objects && create && !make_tables(s, error))
        return false;
    if (!get_number(s, "PRAGMA application_id", &application, error)
        || !get_number(s, "PRAGMA user_version", &version, error))
        return false;
    if (application != APPLICATION)
        return hd_fail(error, "%s: this is not a database of heddle", s->path);
    return version == VERSION
        || hd_fail(error, "%s: another version of heddle has made this database; choose another file", s->path);
}

hd_store *hd_store_open(const char *path, bool create, hd_error *error)
{
    hd_store *s = hd_alloc(&hd_heap, sizeof *s);
    s->path = path;
    int how = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    if (sqlite3_open_v2(path, &s->db, how, NULL) != SQLITE_OK) {
        hd_store_fail(s, error);
    } else {
        sqlite3_busy_timeout(s->db, PATIENCE_MS);
        if (check_kind(s, create, error)
            && (!create || hd_store_run(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", error)))
            return s;
    }
    hd_store_close(s);
    return NULL;
}

void hd_store_close(hd_store *s)
{
    sqlite3_close(s->db);
    hd_release(&hd_heap, s, sizeof *s);
}

/* --- adding ----------------------------------------------------------------------------------- */

static bool add_findings(hd_store *s, int64_t run, const hd_report_result *r, hd_error *error)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        const hd_report_finding *f = &r->findings[i];
        if (!HD_STORE_DO(s, error, "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "itttitii", run,
                hd_finding_word(f->finding.kind), f->finding.message, f->location.line ? f->location.file : NULL,
                (int64_t)f->location.line, f->replay, (int64_t)f->confirmed, (int64_t)(f->suppressed != NULL)))
            return false;
    }
    return true;
}

static bool add_progress(hd_store *s, int64_t run, const hd_report_result *r, hd_error *error)
{
    for (size_t i = 0; i < r->sample_count; i++) {
        const hd_report_sample *p = &r->samples[i];
        if (!HD_STORE_DO(s, error, "INSERT INTO progress VALUES (?, ?, ?, ?, ?, ?)", "idiiid", run, p->seconds,
                (int64_t)p->tests, (int64_t)p->hunted, (int64_t)p->findings, p->in_sight))
            return false;
    }
    return true;
}

static bool add_lines(hd_store *s, int64_t run, const hd_report_result *r, hd_error *error)
{
    for (size_t i = 0; i < r->line_count; i++)
        if (!HD_STORE_DO(s, error, "INSERT INTO lines VALUES (?, ?, ?, ?)", "itii", run, r->lines[i].file,
                (int64_t)r->lines[i].line, (int64_t)r->lines[i].executions))
            return false;
    return true;
}

/* The result as JSON; to be freed with free. */
static char *json_of(const hd_report_result *r, const char *version, hd_error *error)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out)
        hd_report_json_write(r, version, out);
    if (out && !fclose(out))
        return text;
    free(text);
    hd_fail(error, "the result cannot be written as JSON: %s", strerror(errno));
    return NULL;
}

static bool add_run(hd_store *s, const hd_report_result *r, const char *version, const char *json, hd_error *error)
{
    char verdict[1024], when[32];
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime(&now));
    hd_report_verdict(r, verdict, sizeof verdict);
    return HD_STORE_DO(s, error,
        "INSERT INTO runs (time, seconds, program, version, explorer, status, complete, bound, tests, hunted, verdict,"
        " result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "tdtttiitiitt", when, r->seconds, r->given, version, r->explorer, (int64_t)hd_report_status(r),
        (int64_t)r->complete, r->bound, (int64_t)r->counts.tests, (int64_t)r->counts.hunted, verdict, json);
}

bool hd_store_add(hd_store *s, const hd_report_result *r, const char *version, int64_t *number, hd_error *error)
{
    char *json = json_of(r, version, error);
    bool begun = json && hd_store_run(s, "BEGIN IMMEDIATE", error);
    bool added = begun && add_run(s, r, version, json, error);
    *number = added ? sqlite3_last_insert_rowid(s->db) : 0;
    added = added && add_findings(s, *number, r, error) && add_progress(s, *number, r, error)
        && add_lines(s, *number, r, error) && hd_store_run(s, "COMMIT", error);
    if (begun && !added)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    free(json);
    return added;
}

bool hd_store_prune(hd_store *s, int64_t kept, int64_t *removed, hd_error *error)
{
    if (!hd_store_run(s, "BEGIN IMMEDIATE", error))
        return false;
    bool pruned = HD_STORE_DO(
        s, error, "DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?)", "i", kept);
    *removed = sqlite3_changes(s->db);
    pruned = pruned
        && hd_store_run(s,
            "DELETE FROM findings WHERE run NOT IN (SELECT id FROM runs);"
            "DELETE FROM progress WHERE run NOT IN (SELECT id FROM runs);"
            "DELETE FROM lines WHERE run NOT IN (SELECT id FROM runs); COMMIT; VACUUM",
            error);
    if (!pruned)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return pruned;
}
