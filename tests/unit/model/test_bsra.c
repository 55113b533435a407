#include "model/bsra.h"
#include "model/por.h"
#include "model/full.h"
#include "unit/model/systems.h"
#include "unit/test.h"

static const hd_model_limits limits = { .jobs = 1, .most_findings = 100000, .max_states = 400000 };

static hd_promela_program *program_of(const char *source, const char *invariant)
{
    hd_error error;
    hd_promela_model *m = hd_promela_parse("test.pml", source, &error);
    hd_promela_node *i = m && invariant ? hd_promela_parse_expression(m, "invariant", invariant, &error) : NULL;
    hd_promela_program *p = m ? hd_promela_compile(m, i, &error) : NULL;
    if (!p)
        hd_test_failed(__FILE__, __LINE__, "%s in:\n%s", error.text, source);
    return p;
}

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

static char *full_deadlocks(hd_promela_program *p, hd_model_scheme scheme, hd_arena *arena, bool *usable)
{
    hd_model_full s;
    names found = { 0 };
    uint8_t *bytes = malloc(HD_MODEL_STATE_MOST_BYTES + 1);
    hd_model_full_open(&s, p, scheme, &limits);
    hd_model_full_run(&s);
    *usable = s.bound == HD_MODEL_BOUND_NONE && s.counts[HD_MODEL_FINDING_FAULT] == 0;
    for (size_t i = 0; i < s.findings.count; i++) {
        hd_model_packed packed;
        hd_model_machine m;
        if (s.findings.items[i].kind != HD_MODEL_FINDING_DEADLOCK)
            continue;
        hd_model_machine_open(&m, p, &s.shapes, scheme);
        hd_model_machine_load(&m, bytes, hd_model_store_get(s.store, s.findings.items[i].state, bytes, &packed));
        hd_vec_push(&found, hd_model_state_signature(&m, arena));
    }
    hd_model_full_close(&s);
    free(bytes);
    return joined(&found, arena);
}

/* Every other system is searched by two threads, but with sleep sets. NULL: refused. */
static char *graph_deadlocks(hd_promela_program *p, hd_model_bsra_kind kind, hd_model_scheme scheme, hd_arena *arena,
    uint64_t *states, hd_error *error)
{
    hd_model_bsra b;
    names found = { 0 };
    hd_model_limits shared = limits;
    shared.jobs = *states % 2 && kind != HD_MODEL_BSRA_SLEEP ? 2 : 1;
    if (!hd_model_bsra_open(&b, kind, p, scheme, &shared, error))
        return NULL;
    uint8_t *bytes = malloc(HD_MODEL_STATE_MOST_BYTES + 1);
    hd_model_bsra_run(&b);
    *states += b.states;
    for (size_t i = 0; i < b.findings.count; i++) {
        hd_model_machine m;
        if (b.findings.items[i].kind != HD_MODEL_FINDING_DEADLOCK)
            continue;
        hd_model_bsra_load(&b, b.findings.items[i].state, &m, bytes);
        hd_vec_push(&found, hd_model_state_signature(&m, arena));
    }
    hd_model_bsra_close(&b);
    free(bytes);
    return joined(&found, arena);
}

static char *por_deadlocks(hd_promela_program *p, hd_model_scheme scheme, hd_arena *arena)
{
    hd_model_por r;
    hd_error error;
    names found = { 0 };
    uint8_t *bytes = malloc(HD_MODEL_STATE_MOST_BYTES + 1);
    if (!hd_model_por_open(&r, p, scheme, &limits, &error)) {
        hd_test_failed(__FILE__, __LINE__, "%s", error.text);
        return "";
    }
    hd_model_por_run(&r);
    for (size_t i = 0; i < r.findings.count; i++) {
        hd_model_packed packed;
        hd_model_machine m;
        if (r.findings.items[i].kind != HD_MODEL_FINDING_DEADLOCK)
            continue;
        hd_model_machine_open(&m, p, &r.shapes, scheme);
        hd_model_machine_load(&m, bytes, hd_model_store_get(r.store, r.findings.items[i].state, bytes, &packed));
        hd_vec_push(&found, hd_model_state_signature(&m, arena));
    }
    hd_model_por_close(&r);
    free(bytes);
    return joined(&found, arena);
}

enum { SHARED = 1, ATOMIC = 2 }; /* what generated systems have */

/* Systems with the same deadlocks by all searches that take them. Sequences of atomic that cannot be interleaved are
 * refused by the graphs alone. */
typedef struct comparison {
    hd_model_scheme scheme;
    int has;
    int compared, with_deadlock, refused;
    uint64_t states[HD_MODEL_SRA + 1];
} comparison;

static void compare_graphs(comparison *c, hd_promela_program *p, const char *full, const char *source, hd_arena *arena)
{
    for (hd_model_bsra_kind kind = HD_MODEL_BSRA; kind <= HD_MODEL_SRA; kind++) {
        hd_error error;
        if ((kind == HD_MODEL_SRA && c->scheme != HD_MODEL_SCHEME_CAUSAL)
            || (kind == HD_MODEL_BSRA_SLEEP && (c->has & SHARED)))
            continue;
        char *found = graph_deadlocks(p, kind, c->scheme, arena, &c->states[kind], &error);
        if (!found && !((c->has & ATOMIC) && strstr(error.text, "in one atomic sequence")))
            hd_test_failed(__FILE__, __LINE__, "%s\n%s", error.text, source);
        c->refused += !found;
        if (found && strcmp(full, found))
            hd_test_failed(
                __FILE__, __LINE__, "scheme %d: full\n%sgraph %d\n%s%s", c->scheme, full, kind, found, source);
    }
}

static void compare_deadlocks(hd_model_scheme scheme, int has, int wanted)
{
    static text source;
    comparison c = { .scheme = scheme, .has = has };
    for (uint64_t seed = 1; c.compared < wanted; seed++) {
        hd_arena arena;
        bool usable;
        hd_arena_init(&arena, &hd_heap);
        put_system(&source, seed * 1000 + scheme, has & SHARED, has & ATOMIC);
        hd_promela_program *p = program_of(source.body, NULL);
        if (!p)
            break;
        char *full = full_deadlocks(p, scheme, &arena, &usable);
        if (usable) {
            char *por = por_deadlocks(p, scheme, &arena);
            compare_graphs(&c, p, full, source.body, &arena);
            if (strcmp(full, por))
                hd_test_failed(__FILE__, __LINE__, "seed %d scheme %d: full\n%spor\n%s%s", (int)seed, scheme, full, por,
                    source.body);
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
        CHECK(c.states[HD_MODEL_BSRA_SLEEP] < c.states[HD_MODEL_BSRA]);
    if (scheme == HD_MODEL_SCHEME_CAUSAL)
        CHECK(c.states[HD_MODEL_BSRA] < c.states[HD_MODEL_SRA]);
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

static bool violated_fully(hd_promela_program *p, hd_model_scheme scheme, bool *usable)
{
    hd_model_full s;
    hd_model_full_open(&s, p, scheme, &limits);
    hd_model_full_run(&s);
    bool violated = s.counts[HD_MODEL_FINDING_INVARIANT] > 0;
    *usable = s.bound == HD_MODEL_BOUND_NONE && s.counts[HD_MODEL_FINDING_FAULT] == 0;
    hd_model_full_close(&s);
    return violated;
}

static bool violated_reduced(hd_promela_program *p, hd_model_scheme scheme)
{
    hd_model_bsra b;
    hd_error error;
    CHECK(hd_model_bsra_open(&b, HD_MODEL_BSRA, p, scheme, &limits, &error));
    hd_model_bsra_run(&b);
    bool violated = b.counts[HD_MODEL_FINDING_INVARIANT] > 0;
    hd_model_bsra_close(&b);
    return violated;
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
            bool full = violated_fully(p, scheme, &usable);
            if (usable && full != violated_reduced(p, scheme))
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
    hd_model_bsra b;
    hd_error error;
    CHECK(hd_model_bsra_open(&b, HD_MODEL_BSRA, p, scheme, &limits, &error));
    hd_model_bsra_run(&b);
    CHECK_INT(b.states, states);
    CHECK_INT(b.edges, edges);
    CHECK_INT(b.blocking_points, blocking_points);
    CHECK_INT(b.findings.count, 0);
    hd_model_bsra_close(&b);
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

static const char figure_2_7[] = "chan T2 = [2] of { byte }; chan T3 = [9] of { byte };\n"
                                 "active proctype P1() { T3!11; T3!12; T2!1; T3!13; T3!14 }\n"
                                 "active proctype P2() { T3!21; T3!22; T3!23; T2?_; T3!24 }\n"
                                 "active proctype P3() { byte n; do :: T3?n od }\n";

/* Executes a process's only transition and keeps the order. */
static void step(hd_model_bsra *b, hd_model_stepper *s, hd_model_order *o, int pid)
{
    hd_model_machine *m = &s->machine;
    const hd_promela_code *code = hd_model_machine_code(m, pid);
    const hd_promela_transition *t = &code->transitions[code->first[hd_model_machine_control(m, pid)]];
    const hd_promela_channel *type;
    hd_model_machine_select(m, pid);
    CHECK(hd_model_stepper_enabled(s, pid, t, 0));
    int channel = m->matched_channel, at = m->matched_position;
    int length = t->action == HD_ACTION_RECEIVE ? hd_model_machine_channel(m, channel, &type)[1] : 0;
    hd_model_machine_run(m, t->effect);
    hd_model_machine_go(m, t->target);
    if (t->action == HD_ACTION_RECEIVE)
        hd_model_order_receive(&b->layout, o, pid, channel, at, length);
    else
        hd_model_order_send(&b->layout, o, pid, m->sent_channel, m->sent_position,
            hd_model_machine_channel(m, m->sent_channel, &type)[1]);
}

TEST(the_happen_before_graph_has_the_snapshots_of_figures_2_7_and_2_8)
{
    hd_promela_program *p = program_of(figure_2_7, NULL);
    hd_model_bsra b;
    hd_error error;
    hd_model_stepper s;
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    CHECK(hd_model_bsra_open(&b, HD_MODEL_BSRA, p, HD_MODEL_SCHEME_CAUSAL, &limits, &error));
    CHECK(b.ordered && !b.strict);
    hd_model_order *o = malloc(b.layout.size);
    hd_model_order_init(&b.layout, o, b.strict);
    hd_model_stepper_open(&s, p, &b.shapes, HD_MODEL_SCHEME_FIFO);
    hd_model_machine_load(&s.machine, b.system.start, b.system.shape);
    for (int i = 0; i < 5; i++)
        step(&b, &s, o, 0);
    for (int i = 0; i < 3; i++)
        step(&b, &s, o, 1);
    CHECK_TEXT(hd_model_order_text(&b.layout, o, &s.machine, 2, &arena), "0: [11 12 13 14]\n1: [21 22 23]\n");
    step(&b, &s, o, 1);
    CHECK_TEXT(
        hd_model_order_text(&b.layout, o, &s.machine, 2, &arena), "0: [11 12] [13 14]\n1: [21 22 23] [] after 2\n");
    step(&b, &s, o, 1);
    CHECK(hd_model_order_first(&b.layout, o, 2, 0, 8)); /* 11 */
    CHECK(hd_model_order_first(&b.layout, o, 2, 4, 8)); /* 21 */
    CHECK(!hd_model_order_first(&b.layout, o, 2, 7, 8)); /* 24, which m's sender's 11 and 12 precede */
    hd_model_stepper_close(&s);
    free(o);
    hd_model_bsra_close(&b);
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
    char *full = full_deadlocks(p, HD_MODEL_SCHEME_CAUSAL, &arena, &usable);
    CHECK(usable);
    hd_error error;
    CHECK_TEXT(graph_deadlocks(p, HD_MODEL_BSRA, HD_MODEL_SCHEME_CAUSAL, &arena, &states, &error), full);
    hd_promela_program_close(p);
    hd_arena_fini(&arena);
}

static void check_refused(const char *source, const char *why)
{
    hd_model_bsra b;
    hd_error error;
    hd_promela_program *p = program_of(source, NULL);
    CHECK(!hd_model_bsra_open(&b, HD_MODEL_BSRA, p, HD_MODEL_SCHEME_CAUSAL, &limits, &error));
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
    hd_model_bsra b;
    hd_error error;
    hd_promela_program *p = program_of("chan q = [3] of { byte }; active proctype A() { do :: q!1 od }\n"
                                       "active proctype B() { byte x; do :: q?x od }",
        NULL);
    CHECK(hd_model_bsra_open(&b, HD_MODEL_BSRA, p, HD_MODEL_SCHEME_FIFO, &limits, &error));
    hd_model_bsra_run(&b);
    CHECK(b.findings.count > 0 && b.findings.items[0].fault.kind == HD_MODEL_FAULT_UNBOUNDED);
    hd_model_bsra_close(&b);
    hd_promela_program_close(p);
}

/* A neither blocks nor ends, so the others' blocking points are those of the states in which it goes round. */
TEST(a_process_that_runs_for_ever_does_not_hide_the_others)
{
    hd_model_bsra b;
    hd_error error;
    hd_promela_program *p =
        program_of("chan q = [2] of { byte }; byte g; active proctype A() { byte i; do :: i = (i + 1) % 3 od }\n"
                   "active proctype B() { byte x; q?x; assert(x == 2) }\n"
                   "active proctype C() { q!1; q!2 }",
            NULL);
    CHECK(hd_model_bsra_open(&b, HD_MODEL_BSRA, p, HD_MODEL_SCHEME_CAUSAL, &limits, &error));
    hd_model_bsra_run(&b);
    CHECK(b.diverges > 0);
    CHECK(b.counts[HD_MODEL_FINDING_ASSERTION] > 0);
    hd_model_bsra_close(&b);
    hd_promela_program_close(p);
}
