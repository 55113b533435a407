/* Fuzzing of everything that reads a user's text for 'heddle pairs': models,
 * relations and row files, then the solver and growth on what was read. A row
 * that comes out must be valid; the sanitizers watch the rest. Built and run by
 * tests/fuzz/pairs_fuzz. */
#include "pairs/generate.h"
#include "pairs/table.h"
#include "pairs/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_small(const hd_pairs_model *m)
{
    double tuples = 0, values = 0;
    for (size_t p = 0; p < m->parameters.count; p++)
        values += m->parameters.items[p].value_count;
    tuples = values * values;
    return tuples < 20000 && m->submodels.count < 3 && m->parameters.count < 12;
}

static void check_rows(const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_rows *rows)
{
    hd_pairs_interactions needed;
    hd_pairs_coverage coverage;
    hd_error error;
    if (hd_pairs_interactions_find(m, 2, &needed, &error)) {
        hd_assert(hd_pairs_verify(m, s, &needed, rows, NULL, &coverage, &error));
        hd_assert(coverage.bad.count == 0);
        hd_assert(coverage.covered == coverage.valid);
        hd_pairs_coverage_fini(&coverage);
    }
    hd_pairs_interactions_fini(&needed);
}

static void generate(const hd_pairs_model *m)
{
    hd_error error;
    hd_pairs_result result = { 0 };
    hd_pairs_request request = { .strength = 2, .method = hd_pairs_method_best, .effort = 0.00001, .seed = 1 };
    hd_pairs_solver *s = hd_pairs_solver_open(m);
    if (m->constraints.count < 8 && hd_pairs_check(m, s, &error) && hd_pairs_generate(m, s, &request, &result, &error))
        check_rows(m, s, &result.rows);
    hd_pairs_result_fini(&result);
    hd_pairs_solver_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    hd_error error;
    hd_pairs_model m;
    hd_pairs_table table;
    hd_pairs_model_init(&m, "model", hd_pairs_usual_syntax());
    if (hd_pairs_parse(&m, text, &error) && is_small(&m)) {
        generate(&m);
        (void)hd_pairs_table_read(&m, "rows", text, &table, &error);
        hd_pairs_table_fini(&table);
        (void)hd_pairs_parse_relations(&m, text, &error);
    }
    hd_pairs_model_fini(&m);
    hd_pairs_model_init(&m, "shorthand", hd_pairs_usual_syntax());
    if (hd_pairs_is_shorthand(text))
        (void)hd_pairs_parse_shorthand(&m, text, &error);
    hd_pairs_model_fini(&m);
    free(text);
    return 0;
}
