/* Generates a test set for a model by one of three methods (docs/algorithms/ipo.md). Invariant of
 * every result: all rows are complete and valid, and every valid tuple of every interaction is
 * covered, unless it was interrupted. */
#ifndef HD_PAIRS_GENERATE_H
#define HD_PAIRS_GENERATE_H

#include "pairs/needs.h"

typedef enum hd_pairs_method { hd_pairs_method_ipo, hd_pairs_method_best, hd_pairs_method_optimal } hd_pairs_method;

enum { HD_PAIRS_FULL = 0 }; /* as a strength: all valid rows */

/* Finds a method by its name: ipo, best, optimal; a strength by its number or as 'full'. */
bool hd_pairs_method_named(const char *name, hd_pairs_method *method);
bool hd_pairs_strength_named(const char *name, int *strength);

typedef struct hd_pairs_request {
    int strength;
    hd_pairs_method method;
    double effort; /* how much to search, in nominal seconds: a count of steps, so that results do not
                    * depend on the machine */
    uint64_t seed;
    const volatile sig_atomic_t *interrupted; /* see hd_pairs_problem */
    const hd_pairs_rows *start; /* rows to keep, each of them extendable; NULL: none */
} hd_pairs_request;

typedef struct hd_pairs_result {
    hd_pairs_rows rows; /* complete and valid; the rows to keep come first, in their order (with
                         * negative values: first those without, then those with one) */
    const char *how; /* the method that found them */
    bool complete; /* every valid tuple is covered: generation was not interrupted before */
    bool smallest; /* no smaller set exists: a lower bound is met */
} hd_pairs_result;

/* Fails if the strength does not fit the model, or if there are too many tuples. The model must
 * have a valid row (see hd_pairs_check). */
bool hd_pairs_generate(const hd_pairs_model *m, hd_pairs_solver *s, const hd_pairs_request *request,
    hd_pairs_result *result, hd_error *error);
void hd_pairs_result_fini(hd_pairs_result *r);

/* Fails, with the smallest set of clashing constraints, if no row is valid. */
bool hd_pairs_check(const hd_pairs_model *m, hd_pairs_solver *s, hd_error *error);

/* The methods, for one run; each adds rows to `rows`, which holds what is to be kept. NULL: they were interrupted
 * before everything was covered. */
const char *hd_pairs_ipo(const hd_pairs_problem *p, hd_pairs_rows *rows);
const char *hd_pairs_best(const hd_pairs_problem *p, double effort, hd_pairs_rows *rows);

/* For models with sub-models: few different configurations of their parameters. `rows` must be empty. False: it was
 * interrupted. */
bool hd_pairs_grow_submodels(const hd_pairs_problem *p, int strength, hd_pairs_rows *rows);

/* A lower bound: no covering set has fewer rows. */
size_t hd_pairs_lower_bound(const hd_pairs_problem *p);

#endif
