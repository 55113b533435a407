#include "store/store_internal.h"

#include "report/json.h"
#include "report/page.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* "hddl"; the version of the tables. */
enum { APPLICATION = 0x6864646c, VERSION = 2, PATIENCE_MS = 2000 };

static const char tables[] =
    "CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT, seconds REAL, program TEXT, version TEXT,"
    " explorer TEXT, status INTEGER, complete INTEGER, bound TEXT, tests INTEGER, hunted INTEGER, verdict TEXT,"
    " result TEXT, page TEXT);"
    "CREATE TABLE findings (run INTEGER, kind TEXT, message TEXT, file TEXT, line INTEGER, replay TEXT,"
    " confirmed INTEGER, suppressed INTEGER);"
    "CREATE TABLE progress (run INTEGER, seconds REAL, tests INTEGER, hunted INTEGER, findings INTEGER, in_sight REAL);"
    "CREATE TABLE lines (run INTEGER, file TEXT, line INTEGER, executions INTEGER);"
    "CREATE INDEX findings_of ON findings (run);"
    "CREATE INDEX progress_of ON progress (run);"
    "CREATE INDEX lines_of ON lines (run);"
    "PRAGMA application_id = 1751409772;"
    "PRAGMA user_version = 2;";

_Static_assert(APPLICATION == 1751409772 && VERSION == 2, "the numbers in `tables`");

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
        || hd_fail(error,
            "%s: another version of heddle has made this database; remove it, or choose another one with --store",
            s->path);
}

hd_store *hd_store_open(const char *path, bool create, hd_error *error)
{
    if (!create && access(path, F_OK)) {
        hd_fail(error, "%s: there is no such database; 'heddle check' keeps its runs in one", path);
        return NULL;
    }
    hd_store *s = hd_alloc(&hd_heap, sizeof *s);
    s->path = path;
    int how = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
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

/* What `write` writes, as text; to be freed with free. */
static char *text_of(const hd_report_result *r, const char *version,
    void (*write)(const hd_report_result *r, const char *version, FILE *out), hd_error *error)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out)
        write(r, version, out);
    if (out && !fclose(out))
        return text;
    free(text);
    hd_fail(error, "the result cannot be written: %s", strerror(errno));
    return NULL;
}

static bool add_run(hd_store *s, const hd_report_result *r, const char *version, hd_error *error)
{
    char verdict[1024], when[32];
    struct timespec now;
    struct tm local;
    char *json = text_of(r, version, hd_report_json_write, error);
    char *page = json ? text_of(r, version, hd_report_result_write, error) : NULL;
    clock_gettime(CLOCK_REALTIME, &now);
    size_t length = strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&now.tv_sec, &local));
    snprintf(when + length, sizeof when - length, ".%03d", (int)(now.tv_nsec / 1000000));
    hd_report_verdict(r, verdict, sizeof verdict);
    bool added = page
        && HD_STORE_DO(s, error,
            "INSERT INTO runs (time, seconds, program, version, explorer, status, complete, bound, tests, hunted,"
            " verdict, result, page) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            "tdtttiitiittt", when, r->seconds, r->given, version, r->explorer, (int64_t)hd_report_status(r),
            (int64_t)r->complete, r->bound, (int64_t)r->counts.tests, (int64_t)r->counts.hunted, verdict, json, page);
    free(json);
    free(page);
    return added;
}

/* Inside a transaction. */
static bool remove_earlier(hd_store *s, int64_t kept, int64_t *removed, hd_error *error)
{
    if (!HD_STORE_DO(s, error, "DELETE FROM runs WHERE id <= (SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?)",
            "i", kept))
        return false;
    *removed = sqlite3_changes(s->db);
    return !*removed
        || hd_store_run(s,
            "DELETE FROM findings WHERE run NOT IN (SELECT id FROM runs);"
            "DELETE FROM progress WHERE run NOT IN (SELECT id FROM runs);"
            "DELETE FROM lines WHERE run NOT IN (SELECT id FROM runs)",
            error);
}

bool hd_store_add(
    hd_store *s, const hd_report_result *r, const char *version, int64_t most, int64_t *number, hd_error *error)
{
    int64_t removed;
    bool begun = hd_store_run(s, "BEGIN IMMEDIATE", error);
    bool added = begun && add_run(s, r, version, error);
    *number = added ? sqlite3_last_insert_rowid(s->db) : 0;
    added = added && add_findings(s, *number, r, error) && add_progress(s, *number, r, error)
        && add_lines(s, *number, r, error) && (!most || remove_earlier(s, most, &removed, error))
        && hd_store_run(s, "COMMIT", error);
    if (begun && !added)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return added;
}

bool hd_store_prune(hd_store *s, int64_t kept, int64_t *removed, hd_error *error)
{
    bool begun = hd_store_run(s, "BEGIN IMMEDIATE", error);
    bool pruned = begun && remove_earlier(s, kept, removed, error) && hd_store_run(s, "COMMIT; VACUUM", error);
    if (begun && !pruned)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return pruned;
}
