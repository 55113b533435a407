/* Internals shared by sat*.c.
 *
 *   sat.c         variables, clauses, propagation, the search
 *   sat_heap.c    the order of decisions
 *   sat_learn.c   conflict analysis */
#ifndef HD_SYM_SAT_PARTS_H
#define HD_SYM_SAT_PARTS_H

#include "sym/sat.h"

enum {
    HD_SAT_HEADER = 2, /* words of a clause before its literals: size, rank */
    HD_SAT_GIVEN = 0, /* the rank of a clause that was not learned */
    HD_SAT_GOOD_RANK = 3 /* clauses up to this rank are never dropped */
};

static inline hd_literal *literals_of(const hd_sat *s, uint32_t clause)
{
    return s->clauses.items + clause + HD_SAT_HEADER;
}

static inline uint32_t level_of(const hd_sat *s, hd_literal literal)
{
    return s->variables.items[literal / 2].level;
}

static inline void assign(hd_sat *s, hd_literal literal, uint32_t reason)
{
    hd_sat_variable *v = &s->variables.items[literal / 2];
    v->level = (uint32_t)s->levels.count;
    v->reason = reason;
    s->values.items[literal] = 1;
    s->values.items[literal ^ 1] = -1;
    hd_vec_push(&s->trail, literal);
}

/* Backtracks to this level. */
void hd_sat_go_back(hd_sat *s, size_t level);

uint32_t hd_sat_store(hd_sat *s, const hd_literal *literals, uint32_t count, uint32_t rank);

/* --- sat_heap.c --- */

void hd_sat_enter_heap(hd_sat *s, uint32_t variable);
uint32_t hd_sat_leave_heap(hd_sat *s);

/* Raises the variable's activity. */
void hd_sat_make_active(hd_sat *s, uint32_t variable);

/* --- sat_learn.c --- */

/* Analyses a conflict, backjumps to the level where the learned clause is unit, and assigns its literal. */
void hd_sat_take_back(hd_sat *s, uint32_t conflict);

/* Sets `core` to the false assumption and the assumptions that imply its negation. */
void hd_sat_find_core(hd_sat *s, const hd_literal *assumptions, uint32_t false_one);

#endif
