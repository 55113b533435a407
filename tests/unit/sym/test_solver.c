#include "sym/solver.h"
#include "unit/sym/random_terms.h"
#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct bench {
    hd_terms terms;
    hd_import import;
    hd_solver *solver;
} bench;

typedef enum how { BY_BITS, BY_Z3, BY_TRYING } how;

static void open_bench(bench *b, how answered)
{
    hd_solver_config config = { .backend = answered == BY_TRYING ? HD_BACKEND_BRUTE : HD_BACKEND_Z3,
        .path = "build/lib/heddle/solve",
        .milliseconds = 2000,
        .only_backend = answered != BY_BITS };
    hd_terms_init(&b->terms, &hd_heap);
    hd_import_init(&b->import, &b->terms, &hd_heap);
    b->solver = hd_solver_open(&b->terms, &config, &hd_heap);
}

static void close_bench(bench *b)
{
    hd_solver_close(b->solver);
    hd_import_fini(&b->import);
    hd_terms_fini(&b->terms);
}

/* Conditions that hold with all inputs 0, and goals that do not, of a random run. */
static void make_query(bench *b, const random_run *r, hd_rng *rng, hd_term *conditions, uint32_t *count, hd_term *goal)
{
    hd_values zero = { 0 };
    *count = 0;
    *goal = 0;
    for (uint32_t e = 1; e < r->count; e++) {
        hd_term term = hd_import_term(&b->import, e);
        if (hd_term_is_constant(&b->terms, term))
            continue;
        hd_term holds = hd_term_equals(&b->terms, term, hd_term_evaluate(&b->terms, term, &zero));
        if (hd_rng_below(rng, 2) && *count < 3)
            conditions[(*count)++] = holds;
        else if (hd_rng_below(rng, 2) || !*goal)
            *goal = hd_term_not(&b->terms, holds);
    }
    hd_vec_fini(&zero);
}

static void ask_both(bench *solver, bench *brute, const random_run *r, uint64_t seed, uint64_t *unsat)
{
    hd_term conditions[2][3], goals[2];
    uint32_t counts[2];
    bench *benches[2] = { solver, brute };
    hd_answer answers[2];
    for (int i = 0; i < 2; i++) {
        bench *b = benches[i];
        hd_values values = { 0 };
        hd_rng rng;
        hd_rng_seed(&rng, seed);
        hd_import_begin(&b->import, r->exprs, r->count, r->inputs, INPUTS);
        make_query(b, r, &rng, conditions[i], &counts[i], &goals[i]);
        if (!goals[i])
            return;
        answers[i] = hd_solver_solve(b->solver, conditions[i], counts[i], &goals[i], 1, &values);
        if (answers[i] == HD_SAT) {
            CHECK_INT(hd_term_evaluate(&b->terms, goals[i], &values), 1);
            for (uint32_t k = 0; k < counts[i]; k++)
                CHECK_INT(hd_term_evaluate(&b->terms, conditions[i][k], &values), 1);
        }
        hd_vec_fini(&values);
    }
    *unsat += answers[1] == HD_UNSAT;
    if (answers[0] != answers[1])
        hd_test_failed(__FILE__, __LINE__, "seed %llu: the solver says %d, brute force %d", (unsigned long long)seed,
            answers[0], answers[1]);
}

static void compare_with_brute_force(how answered, uint64_t seeds)
{
    uint64_t unsat = 0, solved = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        bench solver, brute;
        hd_rng rng;
        hd_rng_seed(&rng, seed * 977);
        open_bench(&solver, answered);
        open_bench(&brute, BY_TRYING);
        random_run r;
        for (int i = 0; i < 120; i++) {
            make_random(&r, &rng);
            ask_both(&solver, &brute, &r, seed * 1000 + (uint64_t)i, &unsat);
        }
        const hd_solver_counts *c = hd_solver_counted(solver.solver);
        solved += answered == BY_BITS ? c->blasted : c->solved;
        CHECK_INT(c->unknown, 0);
        CHECK_INT(answered == BY_BITS ? c->solved : c->blasted, 0);
        CHECK_INT(c->same + c->cores + c->models + c->tried + c->blasted + c->solved <= c->queries, 1);
        close_bench(&solver);
        close_bench(&brute);
    }
    CHECK(unsat > 5 * seeds);
    CHECK(solved > 5 * seeds); /* not all of it was answered by trying or from memory */
}

static uint64_t seeds_wanted(uint64_t usual)
{
    const char *text = getenv("HEDDLE_TEST_SEEDS");
    return text ? strtoull(text, NULL, 10) : usual;
}

TEST(z3_agrees_with_brute_force)
{
    compare_with_brute_force(BY_Z3, seeds_wanted(20));
}

TEST(bits_agree_with_brute_force)
{
    compare_with_brute_force(BY_BITS, seeds_wanted(40));
}

TEST(only_what_shares_inputs_changes)
{
    bench b;
    open_bench(&b, BY_Z3);
    hd_terms *t = &b.terms;
    hd_term x = hd_term_input_of(t, 0, 0, 32), y = hd_term_input_of(t, 0, 1, 32), z = hd_term_input_of(t, 0, 2, 32);
    hd_values values = { 0 };
    hd_vec_push(&values, 5ull);
    hd_vec_push(&values, 5ull);
    hd_vec_push(&values, 77ull);
    hd_term conditions[] = { hd_term_make(t, HD_EXPR_EQ, 1, x, y, 0, 0), hd_term_equals(t, z, 77) };
    hd_term goal = hd_term_equals(t, hd_term_make(t, HD_EXPR_MUL, 32, x, hd_term_constant(t, 32, 3), 0, 0), 12345678);
    CHECK_INT(hd_solver_solve(b.solver, conditions, 2, &goal, 1, &values), HD_SAT);
    CHECK_INT(values.items[0], 4115226);
    CHECK_INT(values.items[1], 4115226);
    CHECK_INT(values.items[2], 77);
    CHECK_INT(hd_solver_counted(b.solver)->solved, 1);
    hd_vec_fini(&values);
    close_bench(&b);
}

/* Whatever is asked, and although no condition says so. */
TEST(inputs_stay_in_their_domains)
{
    bench b;
    open_bench(&b, BY_BITS);
    hd_terms *t = &b.terms;
    hd_term x = hd_term_input_within(t, 0, 0, 64, 5, 3), same = hd_term_input_within(t, 0, 0, 64, 10, 2);
    CHECK(x != same);
    CHECK_INT(hd_term_input_within(t, 0, 0, 64, 5, 3), x);
    hd_values values = { 0 };
    hd_term goals[] = { hd_term_not(t, hd_term_equals(t, x, 5)), hd_term_not(t, hd_term_equals(t, x, 6)),
        hd_term_not(t, hd_term_equals(t, x, 7)) };
    CHECK_INT(hd_term_evaluate(t, x, &values), 5);
    CHECK_INT(hd_solver_solve(b.solver, NULL, 0, goals, 2, &values), HD_SAT);
    CHECK_INT(values.items[0], 7);
    CHECK_INT(values.items[1], 10);
    CHECK_INT(hd_solver_solve(b.solver, NULL, 0, goals, 3, &values), HD_UNSAT);
    hd_vec_fini(&values);
    close_bench(&b);
}

TEST(answers_are_remembered)
{
    bench b;
    open_bench(&b, BY_Z3);
    hd_terms *t = &b.terms;
    hd_term x = hd_term_input_of(t, 0, 0, 32), limit = hd_term_constant(t, 32, 1000);
    hd_term small = hd_term_make(t, HD_EXPR_ULT, 1, x, limit, 0, 0);
    hd_term big = hd_term_equals(t, hd_term_make(t, HD_EXPR_MUL, 32, x, x, 0, 0), 4000000);
    hd_term odd = hd_term_equals(t, hd_term_make(t, HD_EXPR_AND, 32, x, hd_term_constant(t, 32, 5), 0, 0), 5);
    hd_values values = { 0 };
    hd_term conditions[] = { small, hd_term_not(t, odd) };
    hd_answer first = hd_solver_solve(b.solver, conditions, 2, &big, 1, &values);
    CHECK_INT(hd_solver_solve(b.solver, conditions, 2, &big, 1, &values), first);
    CHECK_INT(hd_solver_counted(b.solver)->same, 1);
    hd_vec_clear(&values);
    CHECK_INT(hd_solver_solve(b.solver, &small, 1, &odd, 1, &values), HD_SAT);
    hd_term none = hd_term_make(t, HD_EXPR_ULT, 1, hd_term_constant(t, 32, 2000), x, 0, 0);
    CHECK_INT(hd_solver_solve(b.solver, &small, 1, &none, 1, &values), HD_UNSAT);
    uint64_t cores = hd_solver_counted(b.solver)->cores;
    CHECK_INT(hd_solver_solve(b.solver, (hd_term[]) { small, odd }, 2, &none, 1, &values), HD_UNSAT);
    CHECK_INT(hd_solver_counted(b.solver)->cores, cores + 1);
    hd_vec_fini(&values);
    close_bench(&b);
}

/* A back end that cannot be started, and one that has too little time, give no
 * answer, and say so. */
TEST(no_answer_is_counted)
{
    hd_solver_config missing = {
        .backend = HD_BACKEND_Z3, .path = "build/lib/heddle/no-such", .milliseconds = 10, .only_backend = true
    };
    hd_terms t;
    hd_values values = { 0 };
    hd_terms_init(&t, &hd_heap);
    hd_solver *s = hd_solver_open(&t, &missing, &hd_heap);
    hd_term x = hd_term_input_of(&t, 0, 0, 32);
    hd_term goal = hd_term_equals(&t, x, 9);
    CHECK_INT(hd_solver_solve(s, NULL, 0, &goal, 1, &values), HD_UNKNOWN);
    CHECK_INT(hd_solver_counted(s)->unknown, 1);
    CHECK_INT(hd_solver_counted(s)->queries, 1);
    hd_solver_close(s);
    hd_terms_fini(&t);
    hd_vec_fini(&values);
}

/* Asks a solver that ends at its first `deaths` starts. */
static hd_answer ask_mortal(int deaths)
{
    hd_solver_config mortal = { .backend = HD_BACKEND_Z3, .milliseconds = 2000, .only_backend = true };
    char folder[] = "/tmp/heddle-solver-XXXXXX", mark[64];
    CHECK(mkdtemp(folder));
    snprintf(mortal.path, sizeof mortal.path, "%s/solve", folder);
    snprintf(mark, sizeof mark, "%s/starts", folder);
    FILE *script = fopen(mortal.path, "w");
    fprintf(
        script, "#!/bin/sh\necho >>%s\n[ $(wc -l <%s) -le %d ] || exec build/lib/heddle/solve\n", mark, mark, deaths);
    fclose(script);
    chmod(mortal.path, 0700);
    bench b;
    open_bench(&b, BY_Z3);
    hd_solver_attach(b.solver, &mortal);
    hd_term goal = hd_term_equals(&b.terms, hd_term_input_of(&b.terms, 0, 0, 32), 9);
    hd_values values = { 0 };
    hd_answer answer = hd_solver_solve(b.solver, NULL, 0, &goal, 1, &values);
    hd_vec_fini(&values);
    close_bench(&b);
    unlink(mortal.path);
    unlink(mark);
    rmdir(folder);
    return answer;
}

TEST(a_solver_that_was_killed_is_replaced)
{
    CHECK_INT(ask_mortal(0), HD_SAT);
    CHECK_INT(ask_mortal(1), HD_SAT);
    CHECK_INT(ask_mortal(2), HD_UNKNOWN);
}

/* That a prime has no factors, which nobody sees in a moment; and the next query is
 * answered all the same. */
TEST(a_hard_query_ends_in_time)
{
    bench b;
    open_bench(&b, BY_Z3);
    hd_terms *t = &b.terms;
    hd_solver_config quick = { .backend = HD_BACKEND_Z3, .path = "build/lib/heddle/solve", .milliseconds = 100 };
    hd_solver_attach(b.solver, &quick);
    hd_term x = hd_term_input_of(t, 0, 0, 32), y = hd_term_input_of(t, 0, 1, 32);
    hd_term wide_x = hd_term_make(t, HD_EXPR_ZEXT, 64, x, 0, 0, 0),
            wide_y = hd_term_make(t, HD_EXPR_ZEXT, 64, y, 0, 0, 0);
    hd_term product = hd_term_make(t, HD_EXPR_MUL, 64, wide_x, wide_y, 0, 0);
    hd_term goals[] = { hd_term_equals(t, product, 9223372036854775783ull), hd_term_not(t, hd_term_equals(t, x, 1)),
        hd_term_not(t, hd_term_equals(t, y, 1)) };
    hd_values values = { 0 };
    CHECK_INT(hd_solver_solve(b.solver, NULL, 0, goals, 3, &values), HD_UNKNOWN);
    CHECK(hd_solver_counted(b.solver)->seconds < 4);
    hd_term easy = hd_term_equals(t, hd_term_make(t, HD_EXPR_ADD, 32, x, y, 0, 0), 17);
    CHECK_INT(hd_solver_solve(b.solver, NULL, 0, &easy, 1, &values), HD_SAT);
    hd_vec_fini(&values);
    close_bench(&b);
}

/* Once it is late, or somebody asks to stop, nothing is solved any more. */
TEST(late_queries_have_no_answer)
{
    bench b;
    open_bench(&b, BY_BITS);
    hd_terms *t = &b.terms;
    int stop = 0;
    hd_solver_config late = { .milliseconds = 2000, .deadline.stop = &stop };
    hd_term x = hd_term_input_of(t, 0, 0, 32);
    hd_values values = { 0 };
    for (uint64_t i = 0; i < 3; i++) {
        late.deadline.until = i == 1 ? 1e-9 : 0;
        stop = i == 2;
        hd_solver_attach(b.solver, &late);
        hd_term goal = hd_term_equals(t, hd_term_make(t, HD_EXPR_MUL, 32, x, x, 0, 0), (i + 3) * (i + 3));
        CHECK_INT(hd_solver_solve(b.solver, NULL, 0, &goal, 1, &values), i ? HD_UNKNOWN : HD_SAT);
        hd_vec_clear(&values);
    }
    CHECK_INT(hd_solver_counted(b.solver)->unknown, 2);
    hd_vec_fini(&values);
    close_bench(&b);
}
