#include "serve/pairs.h"

#include "base/clock.h"
#include "base/json.h"
#include "pairs/generate.h"
#include "pairs/report.h"
#include "pairs/table.h"
#include "pairs/verify.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EFFORT = 30 };

typedef struct work {
    const hd_serve_pairs *asked;
    int strength, verified; /* what rows are made with, and what they are compared with */
    hd_pairs_model model;
    hd_pairs_solver *solver;
    hd_pairs_interactions needed;
    bool has_needed;
    hd_pairs_table given;
    hd_pairs_reuse reuse;
    hd_pairs_result result;
    hd_pairs_rows *rows; /* the rows that are shown: of `result`, or given ones */
    hd_arena arena;
    hd_error error;
    double seconds;
} work;

/* --- input -------------------------------------------------------------------------------------------- */

static const char *given_or(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

static bool read_model(work *x)
{
    const char *text = given_or(x->asked->model, "");
    hd_pairs_model_init(&x->model, "model", hd_pairs_usual_syntax());
    bool read = hd_pairs_is_shorthand(text) ? hd_pairs_parse_shorthand(&x->model, text, &x->error)
                                            : hd_pairs_parse(&x->model, text, &x->error);
    const char *relation = given_or(x->asked->relation, NULL);
    return read && (!relation || hd_pairs_parse_relations(&x->model, relation, &x->error));
}

/* What the rows are to cover. Full strength is told for few parameters only. */
static bool find_needed(work *x)
{
    int parameters = (int)x->model.parameters.count;
    x->verified = x->strength == HD_PAIRS_FULL ? parameters : x->strength;
    x->has_needed = x->verified <= HD_PAIRS_MOST_STRENGTH;
    return !x->has_needed || hd_pairs_interactions_find(&x->model, x->verified, &x->needed, &x->error);
}

static bool read_rows(work *x)
{
    const char *rows = given_or(x->asked->rows, NULL);
    return !rows || hd_pairs_table_read(&x->model, "rows", rows, &x->given, &x->error);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static bool make_rows(work *x, hd_pairs_method method)
{
    double effort = strtod(given_or(x->asked->time, "0.2"), NULL);
    hd_pairs_request request = { .strength = x->strength,
        .method = method,
        .effort = effort < MOST_EFFORT ? effort : MOST_EFFORT,
        .seed = strtoull(given_or(x->asked->seed, "1"), NULL, 10) };
    if (x->given.rows.count) {
        hd_pairs_reuse_prepare(&x->model, x->solver, &x->given, &x->reuse);
        request.start = &x->reuse.rows;
    }
    double start = hd_now();
    bool made = hd_pairs_generate(&x->model, x->solver, &request, &x->result, &x->error);
    if (made && given_or(x->asked->order, NULL) && x->has_needed)
        made = hd_pairs_sort_by_coverage(&x->model, &x->needed, &x->result.rows, NULL, &(size_t) { 0 }, &x->error);
    x->seconds = hd_now() - start;
    x->rows = &x->result.rows;
    return made;
}

static bool find_rows(work *x)
{
    hd_pairs_method method;
    if (!hd_pairs_method_named(given_or(x->asked->method, "ipo"), &method))
        return hd_fail(&x->error, "there is no method '%s'", x->asked->method);
    if (x->asked->row) {
        x->rows = &x->given.rows;
        return x->given.rows.count || hd_fail(&x->error, "there are no rows");
    }
    return make_rows(x, method);
}

/* --- output --------------------------------------------------------------------------------------------- */

static void put_parameters(hd_json *j, work *x)
{
    hd_json_array(j, "parameters");
    for (size_t p = 0; p < x->model.parameters.count; p++) {
        const hd_pairs_parameter *parameter = &x->model.parameters.items[p];
        hd_json_object(j, NULL);
        hd_json_text(j, "name", parameter->name);
        hd_json_array(j, "values");
        for (int v = 0; v < parameter->value_count; v++)
            hd_json_text(j, NULL, hd_pairs_cell_text(&x->model, (int)p, v, 0, &x->arena));
        hd_json_end(j, ']');
        hd_json_end(j, '}');
    }
    hd_json_end(j, ']');
}

/* Cells as indices of values; -1: none. */
static void put_rows(hd_json *j, const hd_pairs_rows *rows)
{
    hd_json_array(j, "rows");
    for (size_t i = 0; i < rows->count; i++) {
        hd_json_array(j, NULL);
        for (int c = 0; c < rows->columns; c++)
            hd_json_int(j, NULL, hd_pairs_row(rows, i)[c]);
        hd_json_end(j, ']');
    }
    hd_json_end(j, ']');
}

static bool put_coverage(hd_json *j, work *x)
{
    hd_pairs_coverage coverage = { 0 };
    if (x->has_needed && !hd_pairs_verify(&x->model, x->solver, &x->needed, x->rows, NULL, &coverage, &x->error))
        return false;
    hd_json_int(j, "tuples", x->has_needed ? (int64_t)coverage.valid : -1);
    hd_json_int(j, "covered", (int64_t)coverage.covered);
    hd_json_array(j, "curve");
    for (size_t i = 0; i < coverage.curve.count; i++)
        hd_json_int(j, NULL, (int64_t)coverage.curve.items[i]);
    hd_json_end(j, ']');
    hd_pairs_coverage_fini(&coverage);
    return true;
}

/* What became of the rows that were given. */
static void put_notes(hd_json *j, work *x)
{
    char *notes = NULL;
    size_t size;
    FILE *out = open_memstream(&notes, &size);
    if (x->rows == &x->result.rows && x->given.rows.count)
        hd_pairs_report_reuse(&x->model, &x->given, &x->reuse, &x->result.rows, "rows", out);
    fclose(out);
    hd_json_int(j, "kept", (int64_t)x->reuse.rows.count);
    hd_json_text(j, "notes", notes);
    free(notes);
}

static bool put_everything(work *x)
{
    hd_json j;
    hd_json_open(&j, stdout);
    hd_json_object(&j, NULL);
    hd_json_int(&j, "strength", x->strength);
    hd_json_text(&j, "method", x->result.how);
    hd_json_bool(&j, "smallest", x->result.smallest);
    hd_json_real(&j, "seconds", x->seconds);
    put_parameters(&j, x);
    put_rows(&j, x->rows);
    put_notes(&j, x);
    bool fine = put_coverage(&j, x);
    hd_json_end(&j, '}');
    return fine;
}

/* The tuples of one row, those that it is the first to cover before the others. */
static bool put_tuples(work *x)
{
    size_t at = strtoull(x->asked->row, NULL, 10);
    hd_pairs_covered_list covered = { 0 };
    hd_json j;
    if (at >= x->rows->count)
        return hd_fail(&x->error, "there is no row %zu", at + 1);
    if (!x->has_needed)
        return hd_fail(&x->error, "the model has too many parameters to list tuples of full strength");
    if (!hd_pairs_row_tuples(&x->model, &x->needed, x->rows, at, &covered, &x->error))
        return false;
    hd_json_open(&j, stdout);
    hd_json_object(&j, NULL);
    for (int first = 1; first >= 0; first--) {
        hd_json_array(&j, first ? "first" : "again");
        for (size_t i = 0; i < covered.count; i++) {
            hd_pairs_missing tuple = { covered.items[i].interaction, covered.items[i].tuple };
            if (covered.items[i].first == first)
                hd_json_text(&j, NULL, hd_pairs_missing_text(&x->model, &x->needed, &tuple, &x->arena));
        }
        hd_json_end(&j, ']');
    }
    hd_json_end(&j, '}');
    hd_vec_fini(&covered);
    return true;
}

static bool put_formatted(work *x)
{
    hd_pairs_format format;
    hd_pairs_summary summary = { given_or(x->result.how, "given"), x->strength, x->result.smallest, x->seconds };
    if (!hd_pairs_format_named(x->asked->output, &format))
        return hd_fail(&x->error, "there is no format '%s'", x->asked->output);
    hd_pairs_write(&x->model, x->rows, format, &summary, stdout);
    return true;
}

static bool answer(work *x)
{
    if (!hd_pairs_strength_named(given_or(x->asked->strength, "2"), &x->strength))
        return hd_fail(&x->error, "the strength is 1 to %d, or full", HD_PAIRS_MOST_STRENGTH);
    if (!read_model(x) || !find_needed(x))
        return false;
    x->solver = hd_pairs_solver_open(&x->model);
    if (!hd_pairs_check(&x->model, x->solver, &x->error) || !read_rows(x) || !find_rows(x))
        return false;
    return x->asked->row ? put_tuples(x) : given_or(x->asked->output, NULL) ? put_formatted(x) : put_everything(x);
}

/* The process ends afterwards, so nothing is freed. */
int hd_serve_pairs_run(const void *context)
{
    static work x;
    x.asked = context;
    hd_arena_init(&x.arena, &hd_heap);
    if (answer(&x))
        return HD_EXIT_CLEAN;
    puts(x.error.text);
    return HD_EXIT_USAGE;
}
