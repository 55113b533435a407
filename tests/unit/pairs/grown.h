/* A test set for a system in shorthand, for tests of the searches that improve it. */
#ifndef HD_TESTS_UNIT_PAIRS_GROWN_H
#define HD_TESTS_UNIT_PAIRS_GROWN_H

#include "pairs/grow.h"
#include "unit/test.h"

typedef struct grown {
    hd_pairs_model model;
    hd_pairs_interactions needed;
    hd_pairs_problem problem;
    hd_pairs_rows rows;
} grown;

static inline void grown_init(grown *s, const char *shorthand)
{
    hd_error error;
    *s = (grown) { 0 };
    hd_pairs_model_init(&s->model, shorthand, hd_pairs_usual_syntax());
    CHECK(hd_pairs_parse_shorthand(&s->model, shorthand, &error));
    CHECK(hd_pairs_interactions_find(&s->model, 2, &s->needed, &error));
    s->problem = (hd_pairs_problem) { .model = &s->model, .interactions = &s->needed, .seed = 1 };
    hd_pairs_growth how = { .tie = hd_pairs_tie_first };
    CHECK(hd_pairs_grow(&s->problem, &how, &s->rows));
    hd_pairs_rows_fill(&s->problem, &s->rows);
}

static inline void grown_fini(grown *s)
{
    hd_pairs_rows_fini(&s->rows);
    hd_pairs_interactions_fini(&s->needed);
    hd_pairs_model_fini(&s->model);
}

#endif
