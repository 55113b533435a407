/* A SAT solver that is asked again and again: clauses with two watched literals,
 * learning from conflicts, and assumptions in the order in which they are given.
 *
 * Between questions the assignment stays as it is. A question whose assumptions begin
 * like those of the last one goes on from there, so neighbours on a path cost
 * what they do not share. Variables come in groups; the clauses must make all
 * variables of a group follow from the inputs of the groups it is made of. Then a
 * question is answered when the inputs of the groups that it wants have values: only
 * wanted variables are decided.
 *
 * HD_UNSAT is always right: what is learned follows from the clauses alone.
 */
#ifndef HD_SYM_SAT_H
#define HD_SYM_SAT_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum hd_answer { HD_UNSAT, HD_SAT, HD_UNKNOWN } hd_answer;

typedef uint32_t hd_literal; /* twice the variable, and 1 if it is negated */

/* Variable 0 is true. */
enum { HD_TRUE = 0, HD_FALSE = 1 };

typedef struct hd_sat_watch {
    uint32_t clause;
    hd_literal other; /* if it is true, there is no need to look at the clause */
} hd_sat_watch;

typedef hd_vec(hd_sat_watch) hd_sat_watches;

typedef struct hd_sat_variable {
    double activity;
    uint32_t level, reason; /* reason: a clause, or 0 */
    uint32_t group;
    uint32_t heap_place; /* + 1; 0: not in it */
    bool phase; /* the value that it had last, or shall have */
    bool seen;
    bool is_input;
} hd_sat_variable;

typedef struct hd_sat_level {
    uint32_t first; /* in the trail */
    hd_literal decided;
} hd_sat_level;

typedef struct hd_sat {
    hd_memory *memory;
    hd_vec(hd_sat_variable) variables;
    hd_vec(int8_t) values; /* by literal: 1, -1, 0: none */
    hd_vec(hd_sat_watches) watches; /* by literal: of clauses that watch its negation */
    hd_vec(uint32_t) clauses; /* size and rank, then literals; from 1 */
    hd_vec(hd_literal) trail;
    hd_vec(hd_sat_level) levels; /* above 0 */
    size_t propagated; /* of the trail */
    hd_vec(uint32_t) heap; /* variables to decide, the most active on top */
    double bump;
    hd_vec(uint32_t) wanted; /* by group: the question that wants it */
    uint32_t question, group;
    uint32_t learned, most_learned; /* clauses kept; more are sorted out */
    uint64_t visits; /* of watches: what all of it costs */
    hd_vec(hd_literal) clause; /* being learned */
    hd_vec(uint32_t) stack, looked_at;
    hd_vec(uint32_t) core; /* HD_UNSAT: places of assumptions that contradict each other */
} hd_sat;

void hd_sat_init(hd_sat *s, hd_memory *memory);
void hd_sat_fini(hd_sat *s);

/* Forgets all. */
void hd_sat_clear(hd_sat *s);

/* Variables made from now on belong to this group. */
void hd_sat_begin_group(hd_sat *s, uint32_t group);
hd_literal hd_sat_variable_of(hd_sat *s, bool is_input);

/* Gives up the assignment but for what always holds. To be called before clauses are added. */
void hd_sat_withdraw(hd_sat *s);
void hd_sat_add(hd_sat *s, const hd_literal *literals, uint32_t count);

/* A new question, with these assumptions: wants nothing yet. */
void hd_sat_begin(hd_sat *s, const hd_literal *assumptions, uint32_t count);
void hd_sat_want(hd_sat *s, uint32_t group);
bool hd_sat_wants(const hd_sat *s, uint32_t group);

/* An input of a wanted group, and the value to try first. */
void hd_sat_prefer(hd_sat *s, hd_literal input, bool value);

/* With the assumptions that the question began with. HD_UNKNOWN: that took more than `most_visits`. */
hd_answer hd_sat_solve(hd_sat *s, const hd_literal *assumptions, uint32_t count, uint64_t most_visits);

/* After HD_SAT. */
static inline bool hd_sat_value(const hd_sat *s, hd_literal literal)
{
    return s->values.items[literal] > 0;
}

static inline hd_literal hd_literal_not(hd_literal literal)
{
    return literal ^ 1;
}

#endif
