#include "store/store_internal.h"

#include <inttypes.h>
#include <string.h>

bool hd_store_list(hd_store *s, FILE *out, hd_error *error)
{
    bool failed;
    sqlite3_stmt *rows = hd_store_prepare(s, error,
        "SELECT id, time, status, tests + hunted, (SELECT count(*) FROM findings WHERE run = id AND NOT suppressed AND"
        " kind <> 'model-limit'), program FROM runs ORDER BY id DESC",
        "");
    if (!rows)
        return false;
    fprintf(out, "%6s  %-19s  %6s  %10s  %8s  %s\n", "run", "time", "status", "executions", "findings", "program");
    while (hd_store_next(s, rows, &failed, error))
        fprintf(out, "%6" PRId64 "  %-19.19s  %6d  %10" PRId64 "  %8d  %s\n", (int64_t)sqlite3_column_int64(rows, 0),
            hd_store_text(rows, 1), sqlite3_column_int(rows, 2), (int64_t)sqlite3_column_int64(rows, 3),
            sqlite3_column_int(rows, 4), hd_store_text(rows, 5));
    sqlite3_finalize(rows);
    return !failed;
}

static bool has_run(hd_store *s, int64_t number, hd_error *error)
{
    bool failed;
    sqlite3_stmt *row = hd_store_prepare(s, error, "SELECT 1 FROM runs WHERE id = ?", "i", number);
    bool found = hd_store_next(s, row, &failed, error);
    sqlite3_finalize(row);
    return found
        || (!failed && hd_fail(error, "%s: there is no run %" PRId64 "; 'heddle runs' lists them", s->path, number));
}

/* A finding as a line: kind, place, message. */
static void print_finding(sqlite3_stmt *row, const char *before, FILE *out)
{
    fprintf(out, "%s%s", before, hd_store_text(row, 0));
    if (sqlite3_column_int(row, 2))
        fprintf(out, " %s:%d", hd_store_text(row, 1), sqlite3_column_int(row, 2));
    fprintf(out, ": %s\n", hd_store_text(row, 3));
}

static bool show_findings(hd_store *s, int64_t number, FILE *out, hd_error *error)
{
    bool failed;
    sqlite3_stmt *rows = hd_store_prepare(s, error,
        "SELECT kind, file, line, message, replay, suppressed FROM findings WHERE run = ? ORDER BY rowid", "i", number);
    while (hd_store_next(s, rows, &failed, error)) {
        print_finding(rows, sqlite3_column_int(rows, 5) ? "suppressed: " : "", out);
        if (*hd_store_text(rows, 4))
            fprintf(out, "    heddle replay %s\n", hd_store_text(rows, 4));
    }
    sqlite3_finalize(rows);
    return !failed;
}

static bool show_progress(hd_store *s, int64_t number, FILE *out, hd_error *error)
{
    bool failed;
    sqlite3_stmt *rows = hd_store_prepare(
        s, error, "SELECT seconds, tests + hunted, findings FROM progress WHERE run = ? ORDER BY rowid", "i", number);
    while (hd_store_next(s, rows, &failed, error))
        fprintf(out, "%8.2f s: %" PRId64 " executions, %d findings\n", sqlite3_column_double(rows, 0),
            (int64_t)sqlite3_column_int64(rows, 1), sqlite3_column_int(rows, 2));
    sqlite3_finalize(rows);
    return !failed;
}

static bool show_lines(hd_store *s, int64_t number, FILE *out, hd_error *error)
{
    bool failed;
    sqlite3_stmt *rows = hd_store_prepare(s, error,
        "SELECT file, sum(executions > 0), count(*) FROM lines WHERE run = ? GROUP BY file ORDER BY file", "i", number);
    while (hd_store_next(s, rows, &failed, error))
        fprintf(out, "%s: %d of %d lines reached\n", hd_store_text(rows, 0), sqlite3_column_int(rows, 1),
            sqlite3_column_int(rows, 2));
    sqlite3_finalize(rows);
    return !failed;
}

bool hd_store_show(hd_store *s, int64_t number, FILE *out, hd_error *error)
{
    bool failed;
    sqlite3_stmt *row = has_run(s, number, error)
        ? hd_store_prepare(s, error,
            "SELECT id, time, program, version, explorer, status, verdict FROM runs WHERE id = ?", "i", number)
        : NULL;
    if (!row)
        return false;
    if (hd_store_next(s, row, &failed, error))
        fprintf(out, "run %" PRId64 " of %.19s: %s\nheddle %s, --explore=%s, status %d\n%s\n",
            (int64_t)sqlite3_column_int64(row, 0), hd_store_text(row, 1), hd_store_text(row, 2), hd_store_text(row, 3),
            hd_store_text(row, 4), sqlite3_column_int(row, 5), hd_store_text(row, 6));
    sqlite3_finalize(row);
    return !failed && show_findings(s, number, out, error) && show_progress(s, number, out, error)
        && show_lines(s, number, out, error);
}

bool hd_store_export(hd_store *s, int64_t number, FILE *out, hd_error *error)
{
    bool failed;
    sqlite3_stmt *row = has_run(s, number, error)
        ? hd_store_prepare(s, error, "SELECT result FROM runs WHERE id = ?", "i", number)
        : NULL;
    if (!row)
        return false;
    if (hd_store_next(s, row, &failed, error))
        fputs(hd_store_text(row, 0), out);
    sqlite3_finalize(row);
    return !failed;
}

bool hd_store_each(hd_store *s, int64_t most, hd_store_visit *visit, void *context, hd_error *error)
{
    bool failed;
    sqlite3_stmt *rows = hd_store_prepare(s, error,
        "SELECT id, (julianday(time, 'utc') - 2440587.5) * 86400 FROM runs ORDER BY id DESC LIMIT ?", "i", most);
    while (hd_store_next(s, rows, &failed, error))
        visit(context, sqlite3_column_int64(rows, 0), sqlite3_column_double(rows, 1));
    sqlite3_finalize(rows);
    return !failed;
}

char *hd_store_page(hd_store *s, int64_t number, hd_arena *arena, hd_error *error)
{
    bool failed;
    sqlite3_stmt *row = hd_store_prepare(s, error, "SELECT page FROM runs WHERE id = ?", "i", number);
    char *page = hd_store_next(s, row, &failed, error) ? hd_arena_copy(arena, hd_store_text(row, 0)) : NULL;
    sqlite3_finalize(row);
    return page;
}

/* Prints the findings of run `in` that run `out_of` does not have. The same place and kind is the same finding,
 * whatever the schedule. */
static bool print_others(
    hd_store *s, int64_t in, int64_t out_of, const char *before, FILE *out, bool *any, hd_error *error)
{
    bool failed;
    sqlite3_stmt *rows = hd_store_prepare(s, error,
        "SELECT kind, file, line, message FROM findings AS f WHERE run = ? AND NOT EXISTS (SELECT 1 FROM findings AS g"
        " WHERE g.run = ? AND g.kind = f.kind AND g.file IS f.file AND g.line = f.line) ORDER BY rowid",
        "ii", in, out_of);
    while (hd_store_next(s, rows, &failed, error)) {
        print_finding(rows, before, out);
        *any = true;
    }
    sqlite3_finalize(rows);
    return !failed;
}

bool hd_store_diff(hd_store *s, int64_t first, int64_t second, FILE *out, bool *more, hd_error *error)
{
    bool less = false;
    *more = false;
    return has_run(s, first, error) && has_run(s, second, error)
        && print_others(s, first, second, "- ", out, &less, error)
        && print_others(s, second, first, "+ ", out, more, error);
}
