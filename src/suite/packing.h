/* What all methods that fill tests with goals have in common. */
#ifndef HD_SUITE_PACKING_H
#define HD_SUITE_PACKING_H

#include "suite/cover.h"
#include "suite/goals.h"

typedef struct hd_packing {
    const hd_problem *problem;
    const hd_cover_watch *watch;
    hd_space space;
    hd_goals goals;
    hd_cover *cover;
    uint32_t *test_of; /* per goal that one event reaches: its test, once it has one */
} hd_packing;

void hd_packing_open(hd_packing *p, const hd_problem *n, const hd_cover_watch *watch, hd_cover *cover);
void hd_packing_close(hd_packing *p);

static inline bool hd_packing_goes_on(const hd_packing *p)
{
    return p->watch->goes_on(p->watch->context);
}

/* A new test that begins with this cone; gives its number. */
uint32_t hd_packing_add(hd_packing *p, const hd_cone *cone);

/* Takes all tests away again. */
void hd_packing_clear(hd_packing *p);

/* Thread after thread, by matching. */
void hd_packing_threads(hd_packing *p);

/* The goals that several events reach go where one of them is, or fits, or into a
 * test of their own. */
void hd_packing_choices(hd_packing *p);

/* Tells the bounds to whoever watches. */
void hd_packing_tell(const hd_packing *p);

#endif
