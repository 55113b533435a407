#include "unit/suite/programs.h"
#include "unit/test.h"

#include "suite/encode.h"

static uint32_t tests_of(const hd_suite_problem *n, hd_suite_cover_method *method, bool *optimal)
{
    hd_suite_cover cover = { 0 };
    method(n, &patient, &cover);
    CHECK(hd_suite_cover_is_valid(n, &cover));
    CHECK(cover.lower <= cover.tests.count);
    CHECK(!cover.stopped);
    uint32_t count = (uint32_t)cover.tests.count;
    if (optimal)
        *optimal = cover.lower == count;
    hd_suite_cover_fini(&cover);
    return count;
}

/* --- the paper's examples ------------------------------------------------------------------------ */

/* Figure 2: two threads read X, a third writes it. */
static small_program figure_2(void)
{
    small_program p = { 0 };
    add_step(&p, 0, HD_LOAD, 64, 0xff);
    add_step(&p, 1, HD_STORE, 64, 0xff);
    add_step(&p, 2, HD_LOAD, 64, 0xff);
    return p;
}

static uint32_t exact_of(hd_net net, hd_suite_criterion what, uint32_t *events)
{
    small_program p = figure_2();
    hd_trees trees;
    hd_suite_problem n;
    hd_suite_goals goals;
    bool optimal;
    hd_events *g = record_all(&p, net);
    hd_trees_init(&trees, g, hd_events_count(g));
    hd_suite_build(&n, &goals, &trees, g, what);
    CHECK(hd_trees_is_valid(&trees));
    uint32_t tests = tests_of(&n, hd_suite_cover_exact, &optimal);
    CHECK(optimal);
    *events = (uint32_t)trees.events.count;
    hd_suite_goals_fini(&goals);
    hd_suite_problem_fini(&n);
    hd_trees_fini(&trees);
    hd_events_close(g);
    return tests;
}

/* --- validity -------------------------------------------------------------------------------------- */

#define CHECK_TREES(field, wrong) CHECK_NOTICED(hd_trees_is_valid(t), t->field, wrong)

static void break_trees(hd_trees *t)
{
    uint32_t use = 0;
    while (t->uses.items[use].parent == HD_NO_USE)
        use++;
    uint32_t event = t->uses.items[use].event;
    CHECK_TREES(uses.items[use].event, event + 1);
    CHECK_TREES(uses.items[use].place, t->uses.items[use].place + 1);
    CHECK_TREES(uses.items[use].parent, use);
    CHECK_TREES(uses.items[use].enter, t->uses.items[t->uses.items[use].parent].leave);
    CHECK_TREES(events.items[event].use_count, 0);
    CHECK_TREES(causes.items[t->events.items[event].cause], event);
}

static void break_contexts(hd_trees *t)
{
    uint32_t context = 0;
    while (t->contexts.items[context].use == HD_NO_USE)
        context++;
    CHECK_TREES(contexts.items[context].place, t->contexts.items[context].place + 1);
}

static void break_cover(const hd_suite_problem *n)
{
    hd_suite_cover cover = { 0 }, *c = &cover;
    hd_suite_cover_greedy(n, &patient, c);
    CHECK_NOTICED(hd_suite_cover_is_valid(n, c), c->tests.count, c->tests.count - 1); /* a goal is not reached */
    CHECK_NOTICED(hd_suite_cover_is_valid(n, c), c->tests.items[0].count, 1); /* not a configuration */
    hd_suite_cover_fini(c);
}

TEST(validity_notices_wrong_trees_and_covers)
{
    small_program p = figure_2();
    for (int i = 0; i < 2; i++) {
        hd_trees trees;
        hd_suite_problem n;
        hd_suite_goals goals;
        hd_events *g = record_all(&p, i ? HD_NET_CONTEXTUAL : HD_NET_REPLICATED);
        hd_trees_init(&trees, g, hd_events_count(g));
        hd_suite_build(&n, &goals, &trees, g, HD_SUITE_EVENTS);
        (i ? break_contexts : break_trees)(&trees);
        break_cover(&n);
        hd_suite_goals_fini(&goals);
        hd_suite_problem_fini(&n);
        hd_trees_fini(&trees);
        hd_events_close(g);
    }
}

TEST(figure_2_needs_6_4_and_2_tests)
{
    uint32_t events;
    CHECK_INT(exact_of(HD_NET_NAIVE, HD_SUITE_EVENTS, &events), 6);
    CHECK_INT(exact_of(HD_NET_REPLICATED, HD_SUITE_EVENTS, &events), 4);
    CHECK_INT(events, 10);
    CHECK_INT(exact_of(HD_NET_CONTEXTUAL, HD_SUITE_EVENTS, &events), 2);
    CHECK_INT(events, 5);
}

TEST(statements_of_figure_2_need_1_test_in_every_net)
{
    uint32_t events;
    CHECK_INT(exact_of(HD_NET_NAIVE, HD_SUITE_STATEMENTS, &events), 1);
    CHECK_INT(exact_of(HD_NET_REPLICATED, HD_SUITE_STATEMENTS, &events), 1);
    CHECK_INT(exact_of(HD_NET_CONTEXTUAL, HD_SUITE_STATEMENTS, &events), 1);
}

/* A suite of the first events alone: goals that need others are left out. */
static void cover_first(const hd_events *g, uint32_t count, hd_suite_criterion what, size_t *goal_count)
{
    hd_trees trees;
    hd_suite_problem n;
    hd_suite_goals goals;
    bool optimal;
    hd_trees_init(&trees, g, count);
    hd_suite_build(&n, &goals, &trees, g, what);
    CHECK_INT(trees.events.count, count);
    CHECK(hd_trees_is_valid(&trees));
    CHECK(tests_of(&n, hd_suite_cover_exact, &optimal) <= n.goals.count);
    CHECK(what == HD_SUITE_EVENTS || goals.items.count >= *goal_count);
    *goal_count = goals.items.count;
    hd_suite_goals_fini(&goals);
    hd_suite_problem_fini(&n);
    hd_trees_fini(&trees);
}

TEST(first_events)
{
    small_program p = figure_2();
    hd_events *g = record_all(&p, HD_NET_CONTEXTUAL);
    for (hd_suite_criterion what = HD_SUITE_EVENTS; what <= HD_SUITE_BRANCHES; what++) {
        size_t none = 0, goals = 0;
        cover_first(g, 0, what, &none);
        for (uint32_t count = 1; count <= hd_events_count(g); count++)
            cover_first(g, count, what, &goals);
        CHECK(none < goals || what == HD_SUITE_BRANCHES);
    }
    hd_events_close(g);
}

static hd_suite_encode_answer ask(hd_net net, hd_suite_criterion what, uint32_t copies)
{
    small_program p = figure_2();
    hd_trees trees;
    hd_suite_problem n;
    hd_suite_goals goals;
    hd_suite_cover cover = { 0 };
    hd_suite_packing packing;
    hd_suite_encoding e;
    hd_events *g = record_all(&p, net);
    hd_trees_init(&trees, g, hd_events_count(g));
    hd_suite_build(&n, &goals, &trees, g, what);
    hd_suite_packing_open(&packing, &n, &patient, &cover);
    CHECK(hd_suite_encode_open(&e, &packing, copies));
    for (uint32_t i = 0; i < copies; i++)
        hd_suite_encode_copy(&e, i);
    for (size_t i = 0; i < n.goals.count; i++) {
        hd_smt_print(&e.text, "(assert ");
        hd_suite_encode_goal(&e, &n.goals.items[i], copies);
        hd_smt_print(&e.text, ")\n");
    }
    hd_suite_encode_answer answer = hd_suite_encode_ask(&e, copies);
    hd_suite_encode_close(&e);
    hd_suite_packing_close(&packing);
    hd_suite_goals_fini(&goals);
    hd_suite_problem_fini(&n);
    hd_trees_fini(&trees);
    hd_events_close(g);
    return answer;
}

TEST(encodings_of_the_paper)
{
    CHECK_INT(ask(HD_NET_REPLICATED, HD_SUITE_STATEMENTS, 1), HD_SUITE_ENCODE_YES); /* Figure 6 */
    CHECK_INT(ask(HD_NET_CONTEXTUAL, HD_SUITE_EVENTS, 1), HD_SUITE_ENCODE_NO); /* Example 4.5 */
    CHECK_INT(ask(HD_NET_CONTEXTUAL, HD_SUITE_EVENTS, 2), HD_SUITE_ENCODE_YES);
    CHECK_INT(ask(HD_NET_REPLICATED, HD_SUITE_EVENTS, 3), HD_SUITE_ENCODE_NO);
    CHECK_INT(ask(HD_NET_REPLICATED, HD_SUITE_EVENTS, 4), HD_SUITE_ENCODE_YES);
    CHECK_INT(ask(HD_NET_NAIVE, HD_SUITE_EVENTS, 5), HD_SUITE_ENCODE_NO);
    CHECK_INT(ask(HD_NET_NAIVE, HD_SUITE_EVENTS, 6), HD_SUITE_ENCODE_YES);
}

/* The reduction of Theorem 4.3: an event for each node, and for each edge a place that both take. */
/* No use has a parent: each is a tree of its own. */
static void add_root(hd_trees *t, uint32_t place)
{
    uint32_t i = (uint32_t)t->uses.count;
    hd_vec_push(&t->uses, ((hd_tree_use) { place, HD_NO_USE, (uint32_t)t->events.count - 1, i, i + 1 }));
    hd_vec_last(&t->events)->use_count++;
    t->place_count = place >= t->place_count ? place + 1 : t->place_count;
}

static void problem_of_graph(
    hd_trees *t, hd_suite_problem *n, uint32_t nodes, const uint32_t (*edges)[2], uint32_t edge_count)
{
    *t = (hd_trees) { 0 };
    for (uint32_t v = 0; v < nodes; v++) {
        hd_vec_push(&t->events, ((hd_tree_event) { .use = (uint32_t)t->uses.count }));
        add_root(t, v);
        for (uint32_t i = 0; i < edge_count; i++)
            if (edges[i][0] == v || edges[i][1] == v)
                add_root(t, nodes + i);
    }
    CHECK(hd_trees_is_valid(t));
    hd_suite_problem_init(n, t);
    for (uint32_t v = 0; v < nodes; v++) {
        hd_suite_problem_add_goal(n, v);
        hd_suite_problem_add_member(n, v);
    }
    hd_suite_problem_close(n);
}

static const uint32_t figure_5[][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 1, 3 }, { 2, 3 }, { 2, 4 }, { 3, 4 },
    { 0, 4 } };

/* A cycle of five: no three of its nodes are joined to each other, and yet it needs three colours. */
static const uint32_t five[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 0 } };

TEST(colourings)
{
    hd_trees trees;
    hd_suite_problem n;
    bool optimal;
    hd_suite_cover_method *const methods[] = { hd_suite_cover_exact, hd_suite_cover_clique, hd_suite_cover_maxsmt,
        hd_suite_cover_greedy };
    problem_of_graph(&trees, &n, 5, figure_5, 8);
    for (int i = 0; i < 4; i++)
        CHECK_INT(tests_of(&n, methods[i], NULL), 3);
    hd_suite_problem_fini(&n);
    hd_trees_fini(&trees);
    problem_of_graph(&trees, &n, 5, five, 5);
    CHECK_INT(tests_of(&n, hd_suite_cover_exact, &optimal), 3);
    CHECK(optimal);
    hd_suite_problem_fini(&n);
    hd_trees_fini(&trees);
}

/* Odd cycles of conflicts: three tests, although no three goals exclude each other; and tests of
 * three goals exist. Neither cliques nor matching can tell. */
TEST(a_gap_that_only_search_closes)
{
    uint32_t edges[14][2];
    hd_trees trees;
    hd_suite_problem n;
    bool optimal;
    for (uint32_t i = 0; i < 14; i++) {
        edges[i][0] = i;
        edges[i][1] = i % 7 == 6 ? i - 6 : i + 1;
    }
    problem_of_graph(&trees, &n, 14, (const uint32_t(*)[2])edges, 14);
    CHECK_INT(tests_of(&n, hd_suite_cover_exact, &optimal), 3);
    CHECK(optimal);
    hd_suite_problem_fini(&n);
    hd_trees_fini(&trees);
}

/* --- against the oracle ------------------------------------------------------------------------------ */

static bool not_all_three(void *context, const uint32_t *events, uint32_t count)
{
    (void)context, (void)events;
    return count < 3;
}

static void check_program(small_program *p, hd_net net, hd_suite_criterion what, bool inputs, bool solver)
{
    hd_trees trees;
    hd_suite_problem n;
    hd_suite_goals goals;
    bool optimal;
    hd_events *g = record_all(p, net);
    hd_trees_init(&trees, g, hd_events_count(g));
    hd_suite_build(&n, &goals, &trees, g, what);
    CHECK(hd_trees_is_valid(&trees));
    if (inputs) {
        trees.satisfiable = not_all_three;
        for (size_t i = 0; i < n.goals.count; i++)
            trees.events.items[n.members.items[n.goals.items[i].member]].branches = true;
    }
    if (n.goals.count <= MOST_GOALS) {
        uint32_t best = smallest_cover(p, g, &n);
        CHECK_INT(tests_of(&n, hd_suite_cover_exact, &optimal), best);
        CHECK(optimal);
        CHECK(tests_of(&n, hd_suite_cover_greedy, NULL) >= best);
        CHECK(tests_of(&n, hd_suite_cover_clique, NULL) >= best);
        CHECK(!solver || tests_of(&n, hd_suite_cover_maxsmt, NULL) >= best);
    }
    hd_suite_goals_fini(&goals);
    hd_suite_problem_fini(&n);
    hd_trees_fini(&trees);
    hd_events_close(g);
}

static void check_programs(uint64_t seed, uint32_t count, hd_suite_criterion what, bool inputs)
{
    hd_rng rng;
    hd_rng_seed(&rng, seed);
    for (uint32_t i = 0; i < count; i++) {
        small_program p = random_program(&rng);
        bool solver = i % 5 == 0; /* starting one takes longer than the rest */
        check_program(&p, HD_NET_REPLICATED, what, inputs, solver);
        check_program(&p, HD_NET_CONTEXTUAL, what, inputs, solver);
        check_program(&p, HD_NET_NAIVE, what, inputs, solver);
    }
}

TEST(exact_covers_are_the_smallest)
{
    check_programs(1, 150, HD_SUITE_EVENTS, false);
}

TEST(exact_statement_covers_are_the_smallest)
{
    check_programs(2, 30, HD_SUITE_STATEMENTS, false);
}

TEST(inputs_can_forbid_what_fits_pairwise)
{
    check_programs(3, 40, HD_SUITE_EVENTS, true);
}
