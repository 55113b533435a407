#include "model/order.h"
#include "model/search.h"
#include "unit/model/programs.h"
#include "unit/model/systems.h"
#include "unit/test.h"

static const hd_model_limits limits = { .jobs = 1, .most_findings = 100000, .max_states = 400000 };

typedef hd_vec(char *) names;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, each once, as one text. */
static char *joined(names *n, hd_arena *arena)
{
    char *all = "";
    if (n->count)
        qsort(n->items, n->count, sizeof *n->items, by_name);
    for (size_t i = 0; i < n->count; i++)
        if (i == 0 || strcmp(n->items[i], n->items[i - 1]))
            all = hd_arena_print(arena, "%s%s\n", all, n->items[i]);
    hd_vec_fini(n);
    return all;
}

/* The deadlocks that a search finds. NULL with an error: it does not accept the model. `states` is
 * added to. `usable` (may be NULL): nothing kept the search from seeing everything. */
static char *deadlocks(const hd_model_search *search, const hd_model_setup *setup, hd_arena *arena, uint64_t *states,
    bool *usable, hd_error *error)
{
    names found = { 0 };
    void *s = search->open(setup, error);
    if (!s)
        return NULL;
    uint8_t *bytes = malloc(HD_MODEL_STATE_MOST_BYTES + 1);
    search->run(s, NULL);
    const hd_model_result *r = search->result(s);
    *states += r->states;
    if (usable)
        *usable = r->bound == HD_MODEL_BOUND_NONE && r->counts[HD_MODEL_FINDING_FAULT] == 0;
    for (size_t i = 0; i < r->findings.count; i++) {
        hd_model_machine m;
        if (r->findings.items[i].kind != HD_MODEL_FINDING_DEADLOCK)
            continue;
        search->load(s, r->findings.items[i].state, &m, bytes);
        hd_vec_push(&found, hd_model_state_signature(&m, arena));
    }
    search->close(s);
    free(bytes);
    return joined(&found, arena);
}

enum { SHARED = 1, ATOMIC = 2 }; /* what generated systems have */

static const hd_model_search *const reductions[] = { &hd_model_search_bsra, &hd_model_search_bsra_sleep,
    &hd_model_search_sra, &hd_model_search_por };

enum { BSRA, BSRA_SLEEP, SRA, POR, REDUCTIONS };

/* Systems with the same deadlocks by all searches that take them. Atomic sequences that cannot be interleaved are
 * refused by all but por. */
typedef struct comparison {
    hd_model_scheme scheme;
    int has;
    int compared, with_deadlock, refused;
    uint64_t states[REDUCTIONS];
} comparison;

/* Every other system is searched by two threads, if the search can. */
static void compare(comparison *c, hd_promela_program *p, const char *full, const char *source, hd_arena *arena)
{
    for (int i = BSRA; i < REDUCTIONS; i++) {
        hd_error error;
        hd_model_setup setup = hd_model_setup_of(p, c->scheme, &limits);
        setup.limits.jobs = c->states[i] % 2 && reductions[i]->has_jobs ? 2 : 1;
        if ((i == SRA && c->scheme != HD_MODEL_SCHEME_CAUSAL) || (i == BSRA_SLEEP && (c->has & SHARED)))
            continue;
        char *found = deadlocks(reductions[i], &setup, arena, &c->states[i], NULL, &error);
        if (!found && (i == POR || !(c->has & ATOMIC) || !strstr(error.text, "in one atomic sequence")))
            hd_test_failed(__FILE__, __LINE__, "%s\n%s", error.text, source);
        c->refused += !found;
        if (found && strcmp(full, found))
            hd_test_failed(
                __FILE__, __LINE__, "scheme %d: full\n%s%s\n%s%s", c->scheme, full, reductions[i]->name, found, source);
    }
}

static void compare_deadlocks(hd_model_scheme scheme, int has, int wanted)
{
    static text source;
    comparison c = { .scheme = scheme, .has = has };
    for (uint64_t seed = 1; c.compared < wanted; seed++) {
        hd_arena arena;
        bool usable;
        uint64_t states = 0;
        hd_arena_init(&arena, &hd_heap);
        put_system(&source, seed * 1000 + scheme, has & SHARED, has & ATOMIC);
        hd_promela_program *p = program_of(source.body, NULL);
        if (!p)
            break;
        hd_model_setup setup = hd_model_setup_of(p, scheme, &limits);
        char *full = deadlocks(&hd_model_search_full, &setup, &arena, &states, &usable, NULL);
        if (usable) {
            compare(&c, p, full, source.body, &arena);
            c.compared++;
            c.with_deadlock += *full != '\0';
        }
        hd_promela_program_close(p);
        hd_arena_fini(&arena);
    }
    CHECK(c.with_deadlock > wanted / 3 && c.with_deadlock < wanted);
    CHECK((c.refused > 0) == (has & ATOMIC ? true : false));
    CHECK(c.refused < 2 * wanted);
    if (!(has & SHARED))
        CHECK(c.states[BSRA_SLEEP] < c.states[BSRA]);
    if (scheme == HD_MODEL_SCHEME_CAUSAL)
        CHECK(c.states[BSRA] < c.states[SRA]);
}

TEST(reductions_find_the_same_deadlocks_async)
{
    compare_deadlocks(HD_MODEL_SCHEME_ASYNC, 0, 300);
}

TEST(reductions_find_the_same_deadlocks_fifo)
{
    compare_deadlocks(HD_MODEL_SCHEME_FIFO, 0, 300);
}

TEST(reductions_find_the_same_deadlocks_causal)
{
    compare_deadlocks(HD_MODEL_SCHEME_CAUSAL, 0, 300);
}

TEST(reductions_find_the_same_deadlocks_with_visible_transitions)
{
    for (hd_model_scheme s = HD_MODEL_SCHEME_CAUSAL; s <= HD_MODEL_SCHEME_ASYNC; s++)
        compare_deadlocks(s, SHARED, 100);
}

TEST(reductions_find_the_same_deadlocks_with_atomic_sequences)
{
    for (hd_model_scheme s = HD_MODEL_SCHEME_CAUSAL; s <= HD_MODEL_SCHEME_ASYNC; s++) {
        compare_deadlocks(s, ATOMIC, 200);
        compare_deadlocks(s, SHARED | ATOMIC, 100);
    }
}

/* The result of a search that accepts the model; the caller closes the search. */
static void *searched(
    const hd_model_search *search, hd_promela_program *p, hd_model_scheme scheme, const hd_model_result **result)
{
    hd_error error;
    hd_model_setup setup = hd_model_setup_of(p, scheme, &limits);
    void *s = search->open(&setup, &error);
    if (!s)
        hd_test_failed(__FILE__, __LINE__, "%s", error.text);
    search->run(s, NULL);
    *result = search->result(s);
    return s;
}

static bool violated(const hd_model_search *search, hd_promela_program *p, hd_model_scheme scheme, bool *usable)
{
    const hd_model_result *r;
    void *s = searched(search, p, scheme, &r);
    bool is_violated = r->counts[HD_MODEL_FINDING_INVARIANT] > 0;
    *usable = r->bound == HD_MODEL_BOUND_NONE && r->counts[HD_MODEL_FINDING_FAULT] == 0;
    search->close(s);
    return is_violated;
}

TEST(bsra_judges_invariants_like_the_full_search)
{
    static text source;
    static const char *const invariants[] = { "g != 1", "g != 2", "g != 3" };
    int judged[2] = { 0, 0 };
    for (uint64_t seed = 1; seed <= 100; seed++)
        for (int i = 0; i < 3; i++) {
            hd_model_scheme scheme = (hd_model_scheme)(seed % 3);
            bool usable;
            put_system(&source, seed * 77, true, false);
            hd_promela_program *p = program_of(source.body, invariants[i]);
            bool full = violated(&hd_model_search_full, p, scheme, &usable), reduced;
            if (usable && full != violated(&hd_model_search_bsra, p, scheme, &reduced))
                hd_test_failed(__FILE__, __LINE__, "seed %d scheme %d invariant %s: full says %d\n%s", (int)seed,
                    scheme, invariants[i], full, source.body);
            judged[full] += usable;
            hd_promela_program_close(p);
        }
    CHECK(judged[0] > 30 && judged[1] > 30);
}

/* --- the paper's examples ------------------------------------------------------------------------ */

static const char figure_2_1[] = "mtype = { x, y, z }; chan T2 = [2] of { mtype }; chan T3 = [2] of { mtype };\n"
                                 "active proctype M1() { T3!x; T2!y }\n"
                                 "active proctype M2() { T2?_; T3!z }\n"
                                 "active proctype M3() { T3?_; T3?_ }\n";

static void check_figure(hd_model_scheme scheme, int states, int edges, int blocking_points)
{
    hd_promela_program *p = program_of(figure_2_1, NULL);
    const hd_model_result *r;
    void *s = searched(&hd_model_search_bsra, p, scheme, &r);
    CHECK_INT(r->states, states);
    CHECK_INT(r->edges, edges);
    CHECK_INT(r->blocking_points, blocking_points);
    CHECK_INT(r->findings.count, 0);
    hd_model_search_bsra.close(s);
    hd_promela_program_close(p);
}

TEST(figure_2_6_has_its_states_edges_and_blocking_points)
{
    check_figure(HD_MODEL_SCHEME_ASYNC, 6, 7, 5);
    check_figure(HD_MODEL_SCHEME_FIFO, 6, 7, 5);
}

TEST(a_path_of_figure_2_6_vanishes_under_causal_communication)
{
    check_figure(HD_MODEL_SCHEME_CAUSAL, 5, 5, 4);
}

TEST(the_happen_before_graph_has_the_snapshots_of_figures_2_7_and_2_8)
{
    hd_promela_program *p = program_of(figure_2_7, NULL);
    hd_model_shapes shapes;
    hd_model_system system;
    hd_model_order_layout layout;
    hd_error error;
    hd_model_stepper s;
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    hd_model_shapes_init(&shapes, p, true);
    CHECK(hd_model_system_open(&system, p, &shapes, HD_MODEL_SCHEME_FIFO, &error));
    CHECK_INT(__builtin_popcountll(system.racy), 1); /* so the order is kept, and need not be strict */
    hd_model_order_layout_init(&layout, &system);
    hd_model_order *o = malloc(layout.size);
    hd_model_order_init(&layout, o, false);
    hd_model_stepper_open(&s, p, &shapes, HD_MODEL_SCHEME_FIFO);
    hd_model_machine_load(&s.machine, system.start, system.shape);
    for (int i = 0; i < 5; i++)
        step(&layout, &s, o, 0);
    for (int i = 0; i < 3; i++)
        step(&layout, &s, o, 1);
    CHECK_TEXT(hd_model_order_text(&layout, o, &s.machine, 2, &arena), "0: [11 12 13 14]\n1: [21 22 23]\n");
    step(&layout, &s, o, 1);
    CHECK_TEXT(
        hd_model_order_text(&layout, o, &s.machine, 2, &arena), "0: [11 12] [13 14]\n1: [21 22 23] [] after 2\n");
    step(&layout, &s, o, 1);
    CHECK(hd_model_order_first(&layout, o, 2, 0, 8)); /* 11 */
    CHECK(hd_model_order_first(&layout, o, 2, 4, 8)); /* 21 */
    CHECK(!hd_model_order_first(&layout, o, 2, 7, 8)); /* 24, which m's sender's 11 and 12 precede */
    hd_model_stepper_close(&s);
    free(o);
    hd_model_system_close(&system);
    hd_model_shapes_fini(&shapes);
    hd_promela_program_close(p);
    hd_arena_fini(&arena);
}

/* Two queues cannot both turn round what two senders sent: one queue per port forbids it, causal order would not. */
TEST(one_queue_per_port_is_kept_across_ports)
{
    const char *source = "chan T1 = [2] of { byte }; chan T2 = [2] of { byte };\n"
                         "active proctype A() { T2!1; T1!2 }\n"
                         "active proctype B() { T1!3; T2!4 }\n"
                         "active proctype C() { T1?2; T1?3; T1?9 }\n"
                         "active proctype D() { T2?4; T2?1; T2?9 }\n";
    hd_promela_program *p = program_of(source, NULL);
    hd_arena arena;
    bool usable;
    uint64_t states = 0;
    hd_arena_init(&arena, &hd_heap);
    hd_error error;
    hd_model_setup setup = hd_model_setup_of(p, HD_MODEL_SCHEME_CAUSAL, &limits);
    char *full = deadlocks(&hd_model_search_full, &setup, &arena, &states, &usable, &error);
    CHECK(usable);
    CHECK_TEXT(deadlocks(&hd_model_search_bsra, &setup, &arena, &states, NULL, &error), full);
    hd_promela_program_close(p);
    hd_arena_fini(&arena);
}

static void check_refused(const char *source, const char *why)
{
    hd_error error;
    hd_promela_program *p = program_of(source, NULL);
    hd_model_setup setup = hd_model_setup_of(p, HD_MODEL_SCHEME_CAUSAL, &limits);
    CHECK(!hd_model_search_bsra.open(&setup, &error));
    if (!strstr(error.text, why))
        hd_test_failed(__FILE__, __LINE__, "'%s' does not say '%s'", error.text, why);
    hd_promela_program_close(p);
}

TEST(bsra_refuses_what_is_no_system_of_ports)
{
    check_refused("\nchan q = [0] of { byte }; active proctype A() { q!1 }", "test.pml:2: a rendezvous");
    check_refused("chan q = [1] of { byte }; active [2] proctype A() { byte x; q?x }", "several receivers");
    check_refused("chan q = [1] of { byte };\nactive proctype A() { byte x;\n len(q) > 0 -> q?x }", "test.pml:3");
    check_refused("chan q = [1] of { chan }; active proctype A() { chan c; q?c }", "a channel variable changes");
    check_refused("byte x; proctype A() { x == 1 } init { run A(); x = 1 }", "shared variable");
    check_refused("proctype A() { skip } init { run A(); assert(false) }", "init asserts");
    check_refused("active proctype A() { timeout -> skip }", "timeout");
    check_refused("chan q = [2] of { byte }; active proctype A() { q!!1 }", "!!");
}

TEST(a_port_that_grows_without_bound_is_reported)
{
    const hd_model_result *r;
    hd_promela_program *p = program_of("chan q = [3] of { byte }; active proctype A() { do :: q!1 od }\n"
                                       "active proctype B() { byte x; do :: q?x od }",
        NULL);
    void *s = searched(&hd_model_search_bsra, p, HD_MODEL_SCHEME_FIFO, &r);
    CHECK(r->findings.count > 0 && r->findings.items[0].fault.kind == HD_MODEL_FAULT_UNBOUNDED);
    hd_model_search_bsra.close(s);
    hd_promela_program_close(p);
}

/* A neither blocks nor ends, so the others' blocking points are those of the states in which it goes round. */
TEST(a_process_that_runs_for_ever_does_not_hide_the_others)
{
    const hd_model_result *r;
    hd_promela_program *p =
        program_of("chan q = [2] of { byte }; byte g; active proctype A() { byte i; do :: i = (i + 1) % 3 od }\n"
                   "active proctype B() { byte x; q?x; assert(x == 2) }\n"
                   "active proctype C() { q!1; q!2 }",
            NULL);
    void *s = searched(&hd_model_search_bsra, p, HD_MODEL_SCHEME_CAUSAL, &r);
    CHECK(r->diverges > 0);
    CHECK(r->counts[HD_MODEL_FINDING_ASSERTION] > 0);
    hd_model_search_bsra.close(s);
    hd_promela_program_close(p);
}
