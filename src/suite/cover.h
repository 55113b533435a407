/* Covers: sets of configurations that together reach every goal, as few as possible.
 *
 * Every method produces a complete cover: if it is stopped early, the remaining goals are added
 * without further packing. `lower` is always a proved lower bound: no cover has fewer tests. */
#ifndef HD_SUITE_COVER_H
#define HD_SUITE_COVER_H

#include "events/configuration.h"
#include "suite/problem.h"

/* Open: plain data, the result of a method. */
typedef struct hd_suite_cover {
    hd_vec(hd_configuration) tests;
    uint32_t lower;
    bool stopped; /* stopped before the method was finished */
} hd_suite_cover;

/* Callbacks of the caller: whether to go on, and the bounds as they move (0: not known yet). */
typedef struct hd_suite_cover_watch {
    void *context;
    bool (*goes_on)(void *context);
    void (*bounds)(void *context, uint32_t lower, uint32_t upper);
    const char *solver; /* path of lib/heddle/smt for methods that use it; NULL: none */
} hd_suite_cover_watch;

typedef void hd_suite_cover_method(const hd_suite_problem *n, const hd_suite_cover_watch *watch, hd_suite_cover *out);

hd_suite_cover_method hd_suite_cover_greedy, hd_suite_cover_clique, hd_suite_cover_maxsmt, hd_suite_cover_exact;

void hd_suite_cover_fini(hd_suite_cover *c);

/* A check by definition: is every test a configuration, and is every goal reached? */
bool hd_suite_cover_is_valid(const hd_suite_problem *n, const hd_suite_cover *c);

#endif
