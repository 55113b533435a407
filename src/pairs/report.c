#include "pairs/report.h"

#include "base/json.h"
#include "base/version.h"

#include <inttypes.h>
#include <string.h>

enum { MISSING_SHOWN = 20, CURVE_POINTS = 10, ROWS_SHOWN = 20 };

/* "A=1, B=x" for the tuple. */
static const char *tuple_text(
    const hd_pairs_model *m, int size, const int *columns, const hd_pairs_cell *cells, hd_arena *arena)
{
    const char *text = "";
    for (int i = 0; i < size; i++)
        text = hd_arena_print(arena, "%s%s%s=%s", text, i ? ", " : "", m->parameters.items[columns[i]].name,
            hd_pairs_cell_text(m, columns[i], cells[i], 0, arena));
    return text;
}

const char *hd_pairs_missing_text(
    const hd_pairs_model *m, const hd_pairs_interactions *needed, const hd_pairs_missing *missing, hd_arena *arena)
{
    int size, columns[64];
    hd_pairs_cell cells[64];
    const hd_pairs_column *found = hd_pairs_interaction(needed, missing->interaction, &size);
    hd_pairs_tuple_cells(m, found, size, missing->tuple, cells);
    for (int i = 0; i < size; i++)
        columns[i] = found[i];
    return tuple_text(m, size, columns, cells, arena);
}

static const char *reason(const hd_pairs_model *m, int constraint, hd_arena *arena)
{
    if (constraint == -2)
        return "a parameter has no value of the model";
    if (constraint == -1)
        return "more than one negative value";
    const hd_pairs_constraint *c = &m->constraints.items[constraint];
    return hd_arena_print(arena, "violates line %d: %s", c->line, c->text);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

/* Ten points of the coverage curve. */
static void write_curve(const hd_pairs_verify_report *r, FILE *out)
{
    const hd_pairs_coverage *c = r->coverage;
    size_t rows = c->curve.count, last = 0;
    fprintf(out, "covered after row");
    for (int i = 1; i <= CURVE_POINTS && rows > 0; i++) {
        size_t at = rows * (size_t)i / CURVE_POINTS;
        if (at > last)
            fprintf(out, "%s %zu: %.1f %%", last ? "," : "", at, percent(c->curve.items[at - 1], c->valid));
        last = at;
    }
    fprintf(out, "\n");
}

void hd_pairs_report_verify(const hd_pairs_verify_report *r, FILE *out)
{
    const hd_pairs_coverage *c = r->coverage;
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    for (size_t i = 0; i < r->table->absent.count; i++)
        fprintf(out, "%s: there is no column for parameter '%s'\n", r->file, r->table->absent.items[i]);
    for (size_t i = 0; i < c->bad.count; i++)
        fprintf(out, "%s:%d: invalid row: %s\n", r->file, r->table->lines.items[c->bad.items[i].row],
            reason(r->model, c->bad.items[i].constraint, &arena));
    uint64_t missing = c->valid - c->covered;
    for (size_t i = 0; i < c->missing.count && i < MISSING_SHOWN; i++)
        fprintf(out, "missing: %s\n", hd_pairs_missing_text(r->model, r->needed, &c->missing.items[i], &arena));
    if (missing > MISSING_SHOWN)
        fprintf(out, "missing: %" PRIu64 " more\n", missing - MISSING_SHOWN);
    if (c->cut)
        fprintf(out,
            "interrupted: %zu of %zu rows were checked, %zu of them invalid; %" PRIu64 " tuples are covered, %" PRIu64
            " are known to be missing\n",
            c->curve.count, r->table->rows.count, c->bad.count, c->covered, missing);
    else
        fprintf(out,
            "%zu rows, %zu invalid; %" PRIu64 " of %" PRIu64 " tuples covered (%.2f %%), %" PRIu64 " missing\n",
            r->table->rows.count, c->bad.count, c->covered, c->valid, percent(c->covered, c->valid), missing);
    if (r->table->rows.count > 0 && !c->cut)
        write_curve(r, out);
    hd_arena_fini(&arena);
}

void hd_pairs_report_verify_json(const hd_pairs_verify_report *r, FILE *out)
{
    const hd_pairs_coverage *c = r->coverage;
    hd_arena arena;
    hd_json j;
    hd_arena_init(&arena, &hd_heap);
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    hd_json_text(&j, "model", r->model->name);
    hd_json_bool(&j, "complete", !c->cut);
    hd_json_int(&j, "rows", (int64_t)r->table->rows.count);
    hd_json_int(&j, "tuples", (int64_t)c->valid);
    hd_json_int(&j, "covered", (int64_t)c->covered);
    hd_json_array(&j, "missing");
    for (size_t i = 0; i < c->missing.count; i++)
        hd_json_text(&j, NULL, hd_pairs_missing_text(r->model, r->needed, &c->missing.items[i], &arena));
    hd_json_end(&j, ']');
    hd_json_array(&j, "invalid");
    for (size_t i = 0; i < c->bad.count; i++) {
        hd_json_object(&j, NULL);
        hd_json_int(&j, "line", r->table->lines.items[c->bad.items[i].row]);
        hd_json_text(&j, "reason", reason(r->model, c->bad.items[i].constraint, &arena));
        hd_json_end(&j, '}');
    }
    hd_json_end(&j, ']');
    hd_json_array(&j, "curve");
    for (size_t i = 0; i < c->curve.count; i++)
        hd_json_int(&j, NULL, (int64_t)c->curve.items[i]);
    hd_json_end(&j, ']');
    hd_json_end(&j, '}');
    hd_arena_fini(&arena);
}

/* --- reuse --------------------------------------------------------------------- */

/* A row that cannot be completed with positive values may still be completed by one negative value:
 * it gets that value. */
static bool can_be_kept(const hd_pairs_model *m, hd_pairs_solver *s, hd_pairs_cell *row)
{
    if (hd_pairs_extendable(s, row))
        return true;
    for (int p = 0; m->has_negative && p < (int)m->parameters.count; p++) {
        for (int v = 0; row[p] == HD_PAIRS_ANY && v < hd_pairs_levels(m, p); v++) {
            row[p] = (hd_pairs_cell)v;
            if (m->parameters.items[p].values[v].negative && hd_pairs_extendable(s, row))
                return true;
            row[p] = HD_PAIRS_ANY;
        }
    }
    return false;
}

void hd_pairs_reuse_prepare(
    const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_table *table, hd_pairs_reuse *into)
{
    *into = (hd_pairs_reuse) { .rows.columns = table->rows.columns };
    for (size_t i = 0; i < table->rows.count; i++) {
        hd_pairs_cell *row = hd_pairs_rows_add(&into->rows);
        memcpy(row, hd_pairs_row(&table->rows, i), (size_t)table->rows.columns * sizeof *row);
        if (can_be_kept(m, s, row)) {
            hd_vec_push(&into->from, i);
            continue;
        }
        hd_pairs_rows_remove(&into->rows, into->rows.count - 1);
        hd_vec_push(&into->invalid, i);
    }
}

void hd_pairs_reuse_fini(hd_pairs_reuse *r)
{
    hd_pairs_rows_fini(&r->rows);
    hd_vec_fini(&r->from);
    hd_vec_fini(&r->invalid);
}

static bool was_complete(const hd_pairs_rows *rows, size_t at)
{
    for (int c = 0; c < rows->columns; c++)
        if (hd_pairs_row(rows, at)[c] == HD_PAIRS_ANY)
            return false;
    return true;
}

/* A row counts as kept if it lost no cell and none had to be filled; otherwise it counts as changed. */
void hd_pairs_report_reuse(const hd_pairs_model *m, const hd_pairs_table *table, const hd_pairs_reuse *reuse,
    const hd_pairs_rows *result, const char *file, FILE *out)
{
    size_t kept = 0, total = reuse->rows.count;
    for (size_t i = 0; i < total; i++)
        kept += was_complete(&table->rows, reuse->from.items[i]) && table->lost.items[reuse->from.items[i]] == 0;
    for (size_t i = 0; i < table->unknown.count; i++)
        fprintf(
            out, "%s: column '%s' is not a parameter of %s and is dropped\n", file, table->unknown.items[i], m->name);
    for (size_t i = 0; i < table->absent.count; i++)
        fprintf(out, "%s: parameter '%s' is new\n", file, table->absent.items[i]);
    for (size_t i = 0; i < reuse->invalid.count; i++)
        fprintf(out, "%s:%d: this row is invalid now and was left out\n", file,
            table->lines.items[reuse->invalid.items[i]]);
    fprintf(out, "%s: %zu rows kept, %zu changed, %zu added, %zu invalid\n", file, kept, total - kept,
        result->count - total, reuse->invalid.count);
}

/* --- run ------------------------------------------------------------------------ */

static void write_failures(const hd_pairs_run_report *r, hd_arena *arena, FILE *out)
{
    size_t shown = 0, failed = 0;
    for (size_t i = 0; i < r->rows->count; i++) {
        if (!hd_pairs_failed(&r->outcomes[i]))
            continue;
        failed++;
        if (shown++ < ROWS_SHOWN)
            fprintf(out, "row %zu failed with status %d: %s\n", i + 1, r->outcomes[i].status,
                hd_pairs_command(r->model, r->command, hd_pairs_row(r->rows, i), (int)i, arena));
    }
    if (failed > ROWS_SHOWN)
        fprintf(out, "%zu more rows failed\n", failed - ROWS_SHOWN);
}

static void write_suspects(const hd_pairs_run_report *r, hd_arena *arena, FILE *out)
{
    const hd_pairs_suspects *s = r->suspects;
    if (s->cut)
        fprintf(out, "interrupted: what the failing rows have in common is not known\n");
    else if (s->items.count == 0)
        fprintf(out, "no combination of values tells the failing rows from the others\n");
    else
        fprintf(out,
            s->shared ? "all failing rows share, and no passing row has:\n"
                      : "the failing rows share nothing; these occur in failing rows only:\n");
    for (size_t i = 0; i < s->items.count; i++) {
        const hd_pairs_suspect *t = &s->items.items[i];
        fprintf(out, "  %s (%zu rows)\n", tuple_text(r->model, t->size, t->columns, t->values, arena), t->rows);
    }
}

static void write_run_json(const hd_pairs_run_report *r, size_t ran, size_t failed, hd_arena *arena, FILE *out)
{
    hd_json j;
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    hd_json_text(&j, "model", r->model->name);
    hd_json_bool(&j, "complete", ran == r->rows->count && !r->suspects->cut);
    hd_json_int(&j, "tests", (int64_t)ran);
    hd_json_int(&j, "failed", (int64_t)failed);
    hd_json_array(&j, "failures");
    for (size_t i = 0; i < r->rows->count; i++) {
        if (!hd_pairs_failed(&r->outcomes[i]))
            continue;
        hd_json_object(&j, NULL);
        hd_json_int(&j, "row", (int64_t)i + 1);
        hd_json_int(&j, "status", r->outcomes[i].status);
        hd_json_text(&j, "command", hd_pairs_command(r->model, r->command, hd_pairs_row(r->rows, i), (int)i, arena));
        hd_json_end(&j, '}');
    }
    hd_json_end(&j, ']');
    hd_json_bool(&j, "shared", r->suspects->shared);
    hd_json_array(&j, "combinations");
    for (size_t i = 0; i < r->suspects->items.count; i++) {
        const hd_pairs_suspect *t = &r->suspects->items.items[i];
        hd_json_text(&j, NULL, tuple_text(r->model, t->size, t->columns, t->values, arena));
    }
    hd_json_end(&j, ']');
    hd_json_end(&j, '}');
}

size_t hd_pairs_report_run(const hd_pairs_run_report *r, bool json, FILE *out)
{
    hd_arena arena;
    size_t failed = 0, ran = 0;
    hd_arena_init(&arena, &hd_heap);
    for (size_t i = 0; i < r->rows->count; i++) {
        failed += hd_pairs_failed(&r->outcomes[i]);
        ran += r->outcomes[i].ran;
    }
    if (json) {
        write_run_json(r, ran, failed, &arena, out);
    } else {
        write_failures(r, &arena, out);
        if (failed > 0 && failed < ran)
            write_suspects(r, &arena, out);
        if (ran < r->rows->count)
            fprintf(out, "interrupted: %zu of %zu rows run, %zu failed\n", ran, r->rows->count, failed);
        else
            fprintf(out, "%zu rows run, %zu failed\n", ran, failed);
    }
    hd_arena_fini(&arena);
    return failed;
}
