/* An incremental CDCL solver: two watched literals, first-UIP learning with minimisation, VSIDS
 * with phase saving, Luby restarts, and assumptions in a fixed order (as in MiniSat, Eén and
 * Sörensson 2003).
 *
 * The assignment is kept between queries. A query whose first assumptions are those of the query
 * before continues from there, so neighbouring paths cost only what they do not share.
 *
 * Variables belong to groups. The clauses must define all variables of a group by the inputs of the
 * groups that it is made of. Then a query is satisfied as soon as the inputs of its wanted groups
 * have values without a conflict: only wanted variables are decided.
 *
 * Invariants: clauses are added at level 0 only, and they never contradict each other without
 * assumptions; learned clauses follow from the clauses alone, so they, and HD_UNSAT, hold for every
 * query. */
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
    hd_literal other; /* the blocker: if it is true, the clause need not be visited */
} hd_sat_watch;

typedef hd_vec(hd_sat_watch) hd_sat_watches;

typedef struct hd_sat_variable {
    double activity;
    uint32_t level, reason; /* reason: a clause, or 0 */
    uint32_t group;
    uint32_t heap_place; /* + 1; 0: not in it */
    bool phase; /* saved phase: its last value, or the preferred one */
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
    hd_vec(hd_sat_watches)
        watches; /* by literal: clauses that watch its negation, visited when the literal becomes true */
    hd_vec(uint32_t) clauses; /* size and rank, then literals; clause 0 means none */
    hd_vec(hd_literal) trail;
    hd_vec(hd_sat_level) levels; /* of decision levels from 1 on */
    size_t propagated; /* this much of the trail */
    hd_vec(uint32_t) heap; /* binary heap of variables to decide, highest activity first */
    double bump;
    hd_vec(uint32_t) wanted; /* by group: the last query that wants it */
    uint32_t question, group;
    uint32_t learned, most_learned; /* learned clauses kept; above the limit the older ones are dropped */
    uint64_t visits; /* visits of watches: the measure of effort */
    hd_vec(hd_literal) clause; /* being learned */
    hd_vec(uint32_t) stack, looked_at;
    hd_vec(uint32_t) core; /* HD_UNSAT: indices of assumptions that are contradictory together */
} hd_sat;

void hd_sat_init(hd_sat *s, hd_memory *memory);
void hd_sat_fini(hd_sat *s);

/* Removes all variables and clauses. */
void hd_sat_clear(hd_sat *s);

/* Variables created from now on belong to this group. */
void hd_sat_begin_group(hd_sat *s, uint32_t group);
hd_literal hd_sat_variable_of(hd_sat *s, bool is_input);

/* Backtracks to level 0; necessary before clauses are added. */
void hd_sat_withdraw(hd_sat *s);
void hd_sat_add(hd_sat *s, const hd_literal *literals, uint32_t count);

/* Begins a query with these assumptions; no group is wanted yet. */
void hd_sat_begin(hd_sat *s, const hd_literal *assumptions, uint32_t count);
void hd_sat_want(hd_sat *s, uint32_t group);
bool hd_sat_wants(const hd_sat *s, uint32_t group);

/* Sets the value to try first for an input of a wanted group. */
void hd_sat_prefer(hd_sat *s, hd_literal input, bool value);

/* Solves with the assumptions given to hd_sat_begin. HD_UNKNOWN: it took more than `most_visits`. */
hd_answer hd_sat_solve(hd_sat *s, const hd_literal *assumptions, uint32_t count, uint64_t most_visits);

/* The value of a literal after HD_SAT. */
static inline bool hd_sat_value(const hd_sat *s, hd_literal literal)
{
    return s->values.items[literal] > 0;
}

static inline hd_literal hd_literal_not(hd_literal literal)
{
    return literal ^ 1;
}

#endif
