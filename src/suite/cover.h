/* Covers: sets of configurations that together reach every goal, as few as can be.
 *
 * Every method leaves a cover that is whole: when it is stopped early, what it had not
 * packed yet is added without packing. What is known of the best possible is an
 * interval: no cover has fewer tests than `lower`. */
#ifndef HD_SUITE_COVER_H
#define HD_SUITE_COVER_H

#include "suite/config.h"

typedef struct hd_cover {
    hd_vec(hd_cone) tests;
    uint32_t lower;
    bool stopped; /* before the method was done */
} hd_cover;

/* Who watches: whether to go on, and how the bounds move (0: not known yet). */
typedef struct hd_cover_watch {
    void *context;
    bool (*goes_on)(void *context);
    void (*bounds)(void *context, uint32_t lower, uint32_t upper);
    const char *solver; /* heddle's program that solves texts, for methods that need one; NULL: there is none */
} hd_cover_watch;

typedef void hd_cover_method(const hd_problem *n, const hd_cover_watch *watch, hd_cover *out);

hd_cover_method hd_cover_greedy, hd_cover_clique, hd_cover_maxsmt, hd_cover_exact;

void hd_cover_fini(hd_cover *c);

/* Is every test a configuration, and every goal reached? */
bool hd_cover_is_valid(const hd_problem *n, const hd_cover *c);

#endif
