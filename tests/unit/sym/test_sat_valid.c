/* hd_sat_is_valid notices a wrong field of each kind. The solver is opaque; this test is the only one that looks
 * inside. */
#include "sym/sat.c"

#include "base/rng.h"
#include "unit/test.h"

#define CHECK_SAT(field, wrong) CHECK_NOTICED(hd_sat_is_valid(s), s->field, wrong)

enum { VARIABLES = 12, CLAUSES = 40, GROUP = 1 };

/* A satisfied query, with decisions, implied values and learned clauses. */
static hd_sat *answer(uint64_t seed)
{
    hd_literal variables[VARIABLES];
    hd_rng rng;
    hd_rng_seed(&rng, seed);
    hd_sat *s = hd_sat_open(&hd_heap);
    hd_sat_begin_group(s, GROUP);
    for (int i = 0; i < VARIABLES; i++)
        variables[i] = hd_sat_variable_of(s, true);
    for (int i = 0; i < CLAUSES; i++) {
        hd_literal l[3];
        for (int k = 0; k < 3; k++)
            l[k] = variables[hd_rng_below(&rng, VARIABLES)] ^ (k && hd_rng_below(&rng, 2));
        hd_sat_add(s, l, 3);
    }
    hd_sat_begin(s, variables, 0);
    hd_sat_want(s, GROUP);
    for (int i = 0; i < VARIABLES; i++)
        hd_sat_prefer(s, variables[i], false);
    CHECK_INT(hd_sat_solve(s, variables, 0, 1u << 20), HD_SAT);
    return s;
}

static void break_clause(hd_sat *s, uint32_t clause)
{
    hd_literal *l = &s->clauses.items[clause + HEADER];
    CHECK_SAT(clauses.items[clause], 1);
    CHECK_SAT(clauses.items[clause + 1], !s->clauses.items[clause + 1]);
    CHECK_NOTICED(hd_sat_is_valid(s), l[0], l[0] ^ 1);
    CHECK_NOTICED(hd_sat_is_valid(s), l[0], l[1]);
    CHECK_NOTICED(hd_sat_is_valid(s), l[1], (hd_literal)s->values.count);
    CHECK_SAT(watches.items[l[0] ^ 1].count, s->watches.items[l[0] ^ 1].count - 1);
    CHECK_SAT(watches.items[l[1] ^ 1].items[0].clause, 0);
}

static uint32_t a_clause_without(const hd_sat *s, hd_literal literal)
{
    uint32_t c = 1;
    for (uint32_t i = 0; i < s->clauses.items[c]; i++)
        if (s->clauses.items[c + HEADER + i] == literal) {
            c += HEADER + s->clauses.items[c];
            i = ~0u;
        }
    return c;
}

/* The true literal is of a later level than the false one: after backtracking the clause would be missed. */
static bool break_watches(hd_sat *s, uint32_t clause)
{
    hd_literal *l = &s->clauses.items[clause + HEADER];
    if (s->values.items[l[0]] <= 0 || s->values.items[l[1]] >= 0)
        return false;
    CHECK_SAT(variables.items[l[0] / 2].level, s->variables.items[l[0] / 2].level + 1);
    return true;
}

TEST(validity_notices_what_is_wrong_with_the_sat_solver)
{
    uint32_t reasons = 0, satisfied = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        hd_sat *s = answer(seed);
        for (uint32_t c = 1; c < s->clauses.count; c += HEADER + s->clauses.items[c]) {
            break_clause(s, c);
            satisfied += break_watches(s, c);
        }
        for (size_t i = 0; i < s->trail.count; i++) {
            hd_literal l = s->trail.items[i];
            CHECK_SAT(trail.items[i], l ^ 1);
            CHECK_SAT(values.items[l], 0);
            CHECK_SAT(variables.items[l / 2].level, s->variables.items[l / 2].level + 1);
            if (s->variables.items[l / 2].reason) {
                CHECK_SAT(variables.items[l / 2].reason, a_clause_without(s, l));
                reasons++;
            }
        }
        CHECK_SAT(trail.count, s->trail.count - 1);
        CHECK_SAT(learned, s->learned + 1);
        hd_sat_withdraw(s);
        CHECK_SAT(variables.items[s->heap.items[0]].heap_index, 0);
        CHECK_SAT(variables.items[s->heap.items[1]].activity, 1e9);
        hd_sat_close(s);
    }
    CHECK(reasons > 10 && satisfied > 10);
}
