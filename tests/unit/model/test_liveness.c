#include "model/liveness.h"
#include "unit/test.h"

/* The verdict of the model's first claim; `moves` and `cycle` of its path, if it is violated. */
static hd_model_verdict verdict(const char *source, hd_model_scheme scheme, bool fair, int *moves, int *cycle)
{
    hd_model_limits limits = { .jobs = 1 };
    hd_error error = { "" };
    hd_promela_model *m = hd_promela_parse("m.pml", source, &error);
    hd_promela_program *p = m ? hd_promela_compile(m, NULL, &error) : NULL;
    hd_model_claim c;
    hd_model_liveness l;
    if (!p || !hd_model_claim_open(&c, p, &m->claims.items[0], &error)) {
        hd_test_failed(__FILE__, __LINE__, "%s", error.text);
        return HD_MODEL_VERDICT_UNKNOWN;
    }
    hd_model_setup setup = hd_model_setup_of(p, scheme, &limits);
    hd_model_liveness_run(&l, &setup, &c, fair);
    *moves = (int)l.path.count;
    *cycle = l.is_cycle ? (int)l.cycle : -1;
    hd_model_verdict v = l.verdict;
    hd_model_liveness_close(&l);
    hd_model_claim_close(&c);
    hd_promela_program_close(p);
    return v;
}

#define CHECK_VERDICT(source, fair, expected, expected_moves, expected_cycle) \
    do { \
        int moves, cycle; \
        CHECK_INT(verdict(source, HD_MODEL_SCHEME_CAUSAL, fair, &moves, &cycle), expected); \
        CHECK_INT(moves, expected_moves); \
        CHECK_INT(cycle, expected_cycle); \
    } while (0)

TEST(a_lasso_has_a_stem_and_a_cycle)
{
    static const char source[] = "byte x; active proctype P() { x = 1; do :: x = 2; x = 3 od } ltl p { <> (x == 4) }";
    CHECK_VERDICT(source, false, HD_MODEL_VERDICT_VIOLATED, 4, 2);
}

TEST(a_finite_execution_repeats_its_last_state)
{
    static const char source[] = "byte x; active proctype P() { x = 1; x == 2 } ltl p { <> (x == 4) }";
    CHECK_VERDICT(source, false, HD_MODEL_VERDICT_VIOLATED, 1, 1);
    CHECK_VERDICT(source, true, HD_MODEL_VERDICT_VIOLATED, 1, 1);
}

TEST(a_safety_violation_is_a_path)
{
    CHECK_VERDICT("byte x; active proctype P() { x = 1; x = 2; x = 0 } ltl p { [] (x < 2) }", false,
        HD_MODEL_VERDICT_VIOLATED, 2, -1);
    CHECK_VERDICT("active proctype P() { skip } ltl p { false }", false, HD_MODEL_VERDICT_VIOLATED, 0, -1);
    CHECK_VERDICT("active proctype P() { skip } ltl p { true }", false, HD_MODEL_VERDICT_HOLDS, 0, -1);
}

TEST(fairness_lets_every_process_move_on_a_cycle)
{
    static const char source[] = "byte x, y; bool z; active proctype P() { do :: x = 1 - x od }\n"
                                 "active proctype Q() { do :: y = 1 - y od } active proctype R() { false }\n"
                                 "active proctype S() { do :: x == 1 -> z = !z od } ltl p { <> (x == 2) }";
    int moves, cycle;
    CHECK_INT(verdict(source, HD_MODEL_SCHEME_CAUSAL, true, &moves, &cycle), HD_MODEL_VERDICT_VIOLATED);
    CHECK(moves - cycle >= 3); /* P and Q; S is not always enabled */
    CHECK_VERDICT(source, false, HD_MODEL_VERDICT_VIOLATED, 2, 0);
}

TEST(every_scheme_can_be_checked)
{
    static const char source[] = "chan q = [3] of { byte }; byte last; active proctype P() { q!1; q!2 }\n"
                                 "active proctype R() { q?last; q?_ } ltl p { [] (last != 2) }";
    int moves, cycle;
    CHECK_INT(verdict(source, HD_MODEL_SCHEME_CAUSAL, false, &moves, &cycle), HD_MODEL_VERDICT_HOLDS);
    CHECK_INT(verdict(source, HD_MODEL_SCHEME_FIFO, false, &moves, &cycle), HD_MODEL_VERDICT_HOLDS);
    CHECK_INT(verdict(source, HD_MODEL_SCHEME_ASYNC, false, &moves, &cycle), HD_MODEL_VERDICT_VIOLATED);
    CHECK_INT(moves, 3);
}

TEST(a_proposition_that_fails_leaves_the_claim_undecided)
{
    CHECK_VERDICT("byte x, a[2]; active proctype P() { x = 1; x = 2 } ltl p { [] (a[x] == 0) }", false,
        HD_MODEL_VERDICT_UNKNOWN, 2, -1);
}
