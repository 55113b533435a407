/* The SAT solver on its own, against trying all assignments, and circuits against what the operations give. */
#include "base/rng.h"
#include "sym/blast.h"
#include "unit/test.h"

#include <stdlib.h>

enum { VARIABLES = 12, CLAUSES = 50, QUESTIONS = 60, GROUP = 1 };

typedef struct formula {
    uint32_t variables[CLAUSES][3];
    bool negated[CLAUSES][3];
} formula;

static bool clause_holds(const formula *f, int clause, uint32_t assignment)
{
    for (int k = 0; k < 3; k++)
        if ((assignment >> f->variables[clause][k] & 1) != f->negated[clause][k])
            return true;
    return false;
}

static bool holds(const formula *f, uint32_t assignment)
{
    for (int i = 0; i < CLAUSES; i++)
        if (!clause_holds(f, i, assignment))
            return false;
    return true;
}

/* Clauses that one assignment satisfies: they contradict nothing on their own. */
static void make_formula(formula *f, hd_rng *rng)
{
    uint32_t hidden = (uint32_t)hd_rng_below(rng, 1u << VARIABLES);
    for (int i = 0; i < CLAUSES;) {
        for (int k = 0; k < 3; k++) {
            f->variables[i][k] = (uint32_t)hd_rng_below(rng, VARIABLES);
            f->negated[i][k] = hd_rng_below(rng, 2);
        }
        i += clause_holds(f, i, hidden);
    }
}

static bool some_assignment(const formula *f, uint32_t mask, uint32_t bits)
{
    for (uint32_t a = 0; a < 1u << VARIABLES; a++)
        if ((a & mask) == bits && holds(f, a))
            return true;
    return false;
}

static hd_sat *open_formula(const formula *f, hd_literal *variables)
{
    hd_sat *s = hd_sat_open(&hd_heap);
    hd_sat_limit_learned(s, 3); /* so that clauses are dropped often */
    hd_sat_begin_group(s, GROUP);
    for (int i = 0; i < VARIABLES; i++)
        variables[i] = hd_sat_variable_of(s, true);
    for (int i = 0; i < CLAUSES; i++) {
        hd_literal literals[3];
        for (int k = 0; k < 3; k++)
            literals[k] = variables[f->variables[i][k]] ^ f->negated[i][k];
        hd_sat_add(s, literals, 3);
    }
    return s;
}

/* The core's assumptions alone must be too many. */
static void check_core(const hd_sat *s, const formula *f, const uint32_t *chosen, uint32_t bits)
{
    uint32_t mask = 0;
    size_t count;
    const uint32_t *core = hd_sat_core(s, &count);
    for (size_t i = 0; i < count; i++)
        mask |= 1u << chosen[core[i]];
    CHECK(count > 0);
    CHECK(!some_assignment(f, mask, bits & mask));
}

static hd_answer ask(hd_sat *s, const formula *f, const hd_literal *variables, hd_rng *rng)
{
    uint32_t chosen[8], count = (uint32_t)hd_rng_below(rng, 8), mask = 0, found = 0;
    uint32_t bits = (uint32_t)hd_rng_below(rng, 1u << VARIABLES);
    hd_literal assumptions[8];
    for (uint32_t i = 0; i < count; i++) {
        chosen[i] = hd_rng_below(rng, 3) ? i : (uint32_t)hd_rng_below(rng, VARIABLES); /* many begin alike */
        assumptions[i] = variables[chosen[i]] ^ !(bits >> chosen[i] & 1);
        mask |= 1u << chosen[i];
    }
    hd_sat_begin(s, assumptions, count);
    hd_sat_want(s, GROUP);
    for (int i = 0; i < VARIABLES; i++)
        hd_sat_prefer(s, variables[i], hd_rng_below(rng, 2));
    hd_answer answer = hd_sat_solve(s, assumptions, count, 1u << 30);
    CHECK_INT(answer, some_assignment(f, mask, bits & mask) ? HD_SAT : HD_UNSAT);
    for (int i = 0; answer == HD_SAT && i < VARIABLES; i++)
        found |= (uint32_t)hd_sat_value(s, variables[i]) << i;
    if (answer == HD_SAT)
        CHECK(holds(f, found) && (found & mask) == (bits & mask));
    else
        check_core(s, f, chosen, bits);
    return answer;
}

TEST(sat_agrees_with_trying_all)
{
    const char *wanted = getenv("HEDDLE_TEST_SEEDS");
    uint64_t answers[2] = { 0 };
    for (uint64_t seed = 1; seed <= (wanted ? strtoull(wanted, NULL, 10) : 100); seed++) {
        hd_rng rng;
        formula f;
        hd_literal variables[VARIABLES];
        hd_rng_seed(&rng, seed);
        make_formula(&f, &rng);
        hd_sat *s = open_formula(&f, variables);
        for (int i = 0; i < QUESTIONS; i++)
            answers[ask(s, &f, variables, &rng)]++;
        hd_sat_close(s);
    }
    CHECK(answers[HD_SAT] > 1000);
    CHECK(answers[HD_UNSAT] > 1000);
}

/* A limit is a limit, and what was begun does no harm to the next question. */
TEST(sat_gives_up_in_time)
{
    hd_rng rng;
    formula f;
    hd_literal variables[VARIABLES];
    hd_rng_seed(&rng, 7);
    make_formula(&f, &rng);
    hd_sat *s = open_formula(&f, variables);
    hd_sat_begin(s, NULL, 0);
    hd_sat_want(s, GROUP);
    for (int i = 0; i < VARIABLES; i++)
        hd_sat_prefer(s, variables[i], false);
    hd_answer answer = hd_sat_solve(s, NULL, 0, 1);
    CHECK_INT(answer, HD_UNKNOWN);
    for (int i = 0; i < QUESTIONS; i++)
        ask(s, &f, variables, &rng);
    hd_sat_close(s);
}

/* --- circuits --------------------------------------------------------------------------------- */

static const uint8_t widths[] = { 1, 2, 3, 5, 8, 13, 31, 32, 63, 64 };

typedef struct circuits {
    hd_terms terms;
    hd_solver *solver;
} circuits;

static void open_circuits(circuits *c)
{
    hd_solver_config config = { .backend = HD_BACKEND_BRUTE, .milliseconds = 10000 };
    hd_terms_init(&c->terms, &hd_heap);
    c->solver = hd_solver_open(&c->terms, &config, &hd_heap);
}

static void close_circuits(circuits *c)
{
    hd_solver_close(c->solver);
    hd_terms_fini(&c->terms);
}

/* Often near the ends of what there is. */
static uint64_t some_value(hd_rng *rng, uint32_t width)
{
    uint64_t value = hd_rng_next(rng);
    switch (hd_rng_below(rng, 4)) {
    case 0:
        value = 0 - (value & 1);
        break;
    case 1:
        value = (1ull << (width - 1)) + (value & 1) - (value >> 1 & 1);
        break;
    case 2:
        value &= 0x1f;
        break;
    default:
        break;
    }
    return value & hd_term_mask(width);
}

static hd_term some_operation(hd_terms *t, hd_rng *rng, hd_expr_kind kind, const hd_term *x, uint32_t width)
{
    hd_term bit = hd_term_equals(t, x[2], 1);
    if (kind >= HD_EXPR_EQ && kind <= HD_EXPR_SMUL_OVERFLOW)
        return hd_term_make(t, kind, 1, x[0], x[1], 0, 0);
    if (kind == HD_EXPR_ITE)
        return hd_term_make(t, kind, width, bit, x[0], x[1], 0);
    if (kind == HD_EXPR_ZEXT || kind == HD_EXPR_SEXT)
        return hd_term_make(t, kind, width + (uint32_t)hd_rng_below(rng, 65 - width), x[0], 0, 0, 0);
    if (kind == HD_EXPR_CONCAT)
        return width > 32 ? x[0] : hd_term_make(t, kind, 2 * width, x[0], x[1], 0, 0);
    if (kind == HD_EXPR_EXTRACT) {
        uint32_t low = (uint32_t)hd_rng_below(rng, width);
        return hd_term_make(t, kind, 1 + (uint32_t)hd_rng_below(rng, width - low), x[0], 0, 0, low);
    }
    return hd_term_make(t, kind, width, x[0], hd_term_operand_count((uint8_t)kind) == 2 ? x[1] : 0, 0, 0);
}

/* With all operands fixed, the result is what evaluating gives, and nothing else. */
static void check_operation(hd_rng *rng, hd_expr_kind kind, uint32_t width)
{
    circuits c;
    hd_values values = { 0 }, other = { 0 };
    hd_term x[3], goals[4];
    open_circuits(&c);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t value = some_value(rng, width);
        x[i] = hd_term_input_of(&c.terms, 0, i, width);
        hd_vec_push(&values, value);
        hd_vec_push(&other, some_value(rng, width));
        goals[i] = hd_term_equals(&c.terms, x[i], value);
    }
    hd_term is = some_operation(&c.terms, rng, kind, x, width);
    goals[3] = hd_term_equals(&c.terms, is, hd_term_evaluate(&c.terms, is, &values));
    CHECK_INT(hd_solver_solve(c.solver, NULL, 0, goals, 4, &other), HD_SAT);
    hd_term is_not = hd_term_not(&c.terms, goals[3]);
    hd_answer answer = hd_solver_solve(c.solver, goals, 3, &is_not, 1, &values);
    if (answer != HD_UNSAT)
        hd_test_failed(__FILE__, __LINE__, "operation %d, %u bits wide, has another result", kind, width);
    CHECK_INT(hd_solver_counted(c.solver)->solved + hd_solver_counted(c.solver)->tried, 0);
    hd_vec_fini(&values);
    hd_vec_fini(&other);
    close_circuits(&c);
}

TEST(circuits_compute_what_terms_do)
{
    const char *wanted = getenv("HEDDLE_TEST_SEEDS");
    hd_rng rng;
    hd_rng_seed(&rng, 5);
    for (uint64_t round = 0; round < (wanted ? strtoull(wanted, NULL, 10) : 3); round++)
        for (hd_expr_kind kind = HD_EXPR_ADD; kind < HD_EXPR_KINDS; kind++)
            for (size_t i = 0; i < sizeof widths; i++)
                check_operation(&rng, kind, widths[i]);
}

/* What has too many gates has no answer here: the back end is asked. */
TEST(too_many_gates_are_not_made)
{
    circuits c;
    hd_values values = { 0 };
    open_circuits(&c);
    hd_term x = hd_term_input_of(&c.terms, 0, 0, 64), y = x;
    for (int i = 0; i < 40; i++)
        y = hd_term_make(&c.terms, HD_EXPR_UREM, 64, hd_term_make(&c.terms, HD_EXPR_MUL, 64, y, x, 0, 0),
            hd_term_make(&c.terms, HD_EXPR_ADD, 64, x, hd_term_constant(&c.terms, 64, (uint64_t)i + 2), 0, 0), 0, 0);
    hd_term goal = hd_term_equals(&c.terms, y, 12345), easy = hd_term_equals(&c.terms, x, 5);
    CHECK_INT(hd_solver_solve(c.solver, NULL, 0, &goal, 1, &values), HD_UNKNOWN);
    CHECK_INT(hd_solver_counted(c.solver)->blasted, 0);
    CHECK_INT(hd_solver_solve(c.solver, NULL, 0, &easy, 1, &values), HD_SAT);
    CHECK_INT(hd_solver_counted(c.solver)->blasted, 1);
    hd_vec_fini(&values);
    close_circuits(&c);
}
