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

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum hd_answer { HD_UNSAT, HD_SAT, HD_UNKNOWN } hd_answer;

typedef uint32_t hd_literal; /* twice the variable, and 1 if it is negated */

/* Variable 0 is true. */
enum { HD_TRUE = 0, HD_FALSE = 1 };

typedef struct hd_sat hd_sat;

hd_sat *hd_sat_open(hd_memory *memory);
void hd_sat_close(hd_sat *s);

/* Sets the number of learned clauses above which the older ones are dropped; 4000 by default. */
void hd_sat_limit_learned(hd_sat *s, uint32_t most);

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

/* Checks:
 * - the trail has every variable with a value once, in the order of levels, and the reason of a value implies it;
 * - where all values have been propagated: a clause is watched twice, by its first two literals, and no clause is false
 *   or unit unnoticed, now or after backtracking;
 * - the heap is ordered, and variables know their indices in it; `learned` counts learned clauses. */
bool hd_sat_is_valid(const hd_sat *s);

/* The value of a literal after HD_SAT. */
bool hd_sat_value(const hd_sat *s, hd_literal literal);

/* After HD_UNSAT: indices of assumptions that are contradictory together. Valid until the next query. */
const uint32_t *hd_sat_core(const hd_sat *s, size_t *count);

/* The size of the formula: variables, and words of clauses. */
size_t hd_sat_variable_count(const hd_sat *s);
size_t hd_sat_clause_words(const hd_sat *s);

static inline hd_literal hd_literal_not(hd_literal literal)
{
    return literal ^ 1;
}

#endif
