#include "suite/encode.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { VARIABLES_AT_MOST = 400000, PAIRS_UP_TO = 5 };

typedef hd_vec(uint32_t) numbers;

/* --- which events matter ----------------------------------------------------------------------- */

static void need(hd_suite_encoding *e, uint32_t event)
{
    if (!e->relevant[event])
        hd_vec_push(&e->events, event);
    e->relevant[event] = true;
}

static void need_causes(hd_suite_encoding *e, uint32_t event)
{
    uint32_t count, before = hd_trees_before(e->problem->trees, event);
    const uint32_t *causes = hd_trees_causes(e->problem->trees, event, &count);
    if (before != HD_NO_EVENT)
        need(e, before);
    for (uint32_t i = 0; i < count; i++)
        need(e, causes[i]);
}

/* Values are asked for only where they are needed: the configuration follows from its goals' events. */
static void ask_for(hd_suite_encoding *e, uint32_t event)
{
    if (e->asked_at[event] != HD_NO_USE)
        return;
    e->asked_at[event] = e->asked_count;
    e->asked[e->asked_count++] = event;
}

static void need_goal(hd_suite_encoding *e, uint32_t goal)
{
    const hd_suite_problem *n = e->problem;
    for (uint32_t m = 0; m < n->goals.items[goal].member_count; m++) {
        uint32_t event = n->members.items[n->goals.items[goal].member + m];
        need(e, event);
        ask_for(e, event);
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Closes the set of events under causes. The list grows while it is walked. */
static void need_pasts(hd_suite_encoding *e)
{
    for (size_t i = 0; i < e->events.count; i++)
        need_causes(e, e->events.items[i]);
    if (e->events.count)
        qsort(e->events.items, e->events.count, sizeof *e->events.items, by_number);
    for (size_t i = 0; i < e->events.count; i++)
        if (e->problem->trees->events.items[e->events.items[i]].branches)
            ask_for(e, e->events.items[i]);
}

void hd_suite_encode_focus(hd_suite_encoding *e, const uint32_t *goals, uint32_t count)
{
    for (size_t i = 0; i < e->events.count; i++)
        e->relevant[e->events.items[i]] = false;
    for (uint32_t i = 0; i < e->asked_count; i++)
        e->asked_at[e->asked[i]] = HD_NO_USE;
    hd_vec_clear(&e->events);
    e->asked_count = 0;
    for (uint32_t i = 0; i < count; i++)
        need_goal(e, goals[i]);
    need_pasts(e);
}

bool hd_suite_encode_open(hd_suite_encoding *e, hd_suite_packing *p, uint32_t copies)
{
    const hd_suite_problem *n = p->problem;
    size_t events = n->trees->events.count + 1;
    *e = (hd_suite_encoding) { .packing = p, .problem = n };
    e->relevant = hd_alloc(&hd_heap, events);
    e->asked = hd_alloc(&hd_heap, events * sizeof *e->asked);
    e->asked_at = hd_alloc(&hd_heap, events * sizeof *e->asked_at);
    memset(e->asked_at, 0xff, events * sizeof *e->asked_at);
    for (uint32_t g = 0; g < n->goals.count; g++)
        need_goal(e, g);
    need_pasts(e);
    /* Beyond this size the solver would not finish anyway. */
    return p->watch->solver && (uint64_t)e->events.count * copies <= VARIABLES_AT_MOST
        && (e->smt = hd_smt_open(p->watch->solver, NULL)) != NULL;
}

void hd_suite_encode_close(hd_suite_encoding *e)
{
    size_t events = e->problem->trees->events.count + 1;
    hd_smt_close(e->smt);
    hd_release(&hd_heap, e->relevant, events);
    hd_vec_fini(&e->events);
    hd_release(&hd_heap, e->asked, events * sizeof *e->asked);
    hd_release(&hd_heap, e->asked_at, events * sizeof *e->asked_at);
    hd_release(&hd_heap, e->value, e->value_count);
    hd_vec_fini(&e->text);
}

/* --- a copy --------------------------------------------------------------------------------------- */

#define put(e, ...) hd_smt_print(&(e)->text, __VA_ARGS__)

/* C1 and R1; with contexts also R2. */
static void put_cause(hd_suite_encoding *e, uint32_t event, uint32_t cause, uint32_t copy)
{
    put(e, "(assert (=> x%u_%u x%u_%u))\n", event, copy, cause, copy);
    if (e->problem->trees->contexts.count)
        put(e, "(assert (=> x%u_%u (< n%u_%u n%u_%u)))\n", event, copy, cause, copy, event, copy);
}

static void put_event(hd_suite_encoding *e, uint32_t event, uint32_t copy)
{
    uint32_t count, before = hd_trees_before(e->problem->trees, event);
    const uint32_t *causes = hd_trees_causes(e->problem->trees, event, &count);
    if (before != HD_NO_EVENT)
        put_cause(e, event, before, copy);
    for (uint32_t i = 0; i < count; i++)
        put_cause(e, event, causes[i], copy);
}

/* A token with an event that takes or reads it. */
typedef struct touch {
    uint32_t place, parent, event;
    bool looks;
} touch;

static int by_token(const void *a, const void *b)
{
    const touch *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->looks != y->looks)
        return x->looks ? 1 : -1;
    return x->event < y->event ? -1 : x->event > y->event;
}

/* C3: at most one event takes the token, pairwise for few, as a cardinality constraint for many.
 * R3: readers come before the taker. */
static void put_token(hd_suite_encoding *e, const touch *all, size_t count, uint32_t copy)
{
    size_t takers = 0;
    while (takers < count && !all[takers].looks)
        takers++;
    if (takers > PAIRS_UP_TO) {
        put(e, "(assert ((_ at-most 1)");
        for (size_t i = 0; i < takers; i++)
            put(e, " x%u_%u", all[i].event, copy);
        put(e, "))\n");
    }
    for (size_t i = 0; i < takers; i++) {
        for (size_t k = i + 1; k < takers && takers <= PAIRS_UP_TO; k++)
            put(e, "(assert (not (and x%u_%u x%u_%u)))\n", all[i].event, copy, all[k].event, copy);
        for (size_t k = takers; k < count; k++)
            put(e, "(assert (=> (and x%u_%u x%u_%u) (< n%u_%u n%u_%u)))\n", all[i].event, copy, all[k].event, copy,
                all[k].event, copy, all[i].event, copy);
    }
}

static void put_tokens(hd_suite_encoding *e, uint32_t copy)
{
    const hd_trees *t = e->problem->trees;
    hd_vec(touch) all = { 0 };
    for (size_t i = 0; i < e->events.count; i++) {
        uint32_t number = e->events.items[i];
        const hd_tree_event *event = &t->events.items[number];
        for (uint32_t u = event->use; u < event->use + event->use_count; u++)
            hd_vec_push(&all, ((touch) { t->uses.items[u].place, t->uses.items[u].parent, number, false }));
        for (uint32_t c = event->context; c < event->context + event->context_count; c++)
            hd_vec_push(&all, ((touch) { t->contexts.items[c].place, t->contexts.items[c].use, number, true }));
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_token);
    for (size_t i = 0, end; i < all.count; i = end) {
        for (end = i + 1; end < all.count && all.items[end].place == all.items[i].place
             && all.items[end].parent == all.items[i].parent;)
            end++;
        put_token(e, &all.items[i], end - i, copy);
    }
    hd_vec_fini(&all);
}

void hd_suite_encode_copy(hd_suite_encoding *e, uint32_t copy)
{
    for (size_t i = 0; i < e->events.count; i++) {
        put(e, "(declare-const x%u_%u Bool)\n", e->events.items[i], copy);
        if (e->problem->trees->contexts.count)
            put(e, "(declare-const n%u_%u Int)\n", e->events.items[i], copy);
    }
    for (size_t i = 0; i < e->events.count; i++)
        put_event(e, e->events.items[i], copy);
    put_tokens(e, copy);
}

void hd_suite_encode_goal(hd_suite_encoding *e, const hd_suite_problem_goal *goal, uint32_t copies)
{
    put(e, "(or");
    for (uint32_t m = 0; m < goal->member_count; m++)
        for (uint32_t c = 0; c < copies; c++)
            put(e, " x%u_%u", e->problem->members.items[goal->member + m], c);
    put(e, ")");
}

/* --- answers ---------------------------------------------------------------------------------------- */

static void reserve_values(hd_suite_encoding *e, uint32_t copies)
{
    size_t wanted = (size_t)e->asked_count * copies + 1;
    if (wanted > e->value_count) {
        e->value = hd_resize(&hd_heap, e->value, e->value_count, wanted);
        e->value_count = wanted;
    }
    memset(e->value, 0, e->value_count);
}

/* Parses the reply to get-value: ((x3_0 true) (x4_0 false) …). */
static void read_values(hd_suite_encoding *e, const char *reply)
{
    while ((reply = strchr(reply, 'x'))) {
        char *end;
        unsigned long event = strtoul(reply + 1, &end, 10);
        hd_assert(*end == '_');
        unsigned long copy = strtoul(end + 1, &end, 10);
        if (e->asked_at[event] != HD_NO_USE)
            e->value[copy * e->asked_count + e->asked_at[event]] = !strncmp(end, " true", 5);
        reply = end;
    }
}

static bool has_inputs(hd_suite_encoding *e, uint32_t copy, numbers *branches)
{
    const hd_trees *t = e->problem->trees;
    hd_vec_clear(branches);
    for (uint32_t i = 0; i < e->asked_count; i++)
        if (e->value[(size_t)copy * e->asked_count + i] && t->events.items[e->asked[i]].branches)
            hd_vec_push(branches, e->asked[i]);
    return !branches->count || t->satisfiable(t->context, branches->items, (uint32_t)branches->count);
}

static void put_exclusion(hd_smt_text *text, const numbers *branches, uint32_t copy)
{
    hd_smt_print(text, "(assert (not (and true");
    for (size_t i = 0; i < branches->count; i++)
        hd_smt_print(text, " x%u_%u", branches->items[i], copy);
    hd_smt_print(text, ")))\n");
}

/* Contradictory branches are contradictory in every copy. */
static void exclude(hd_suite_encoding *e, const numbers *branches, uint32_t copies)
{
    for (uint32_t c = 0; c < copies; c++)
        put_exclusion(&e->text, branches, c);
}

static const char *send(hd_suite_encoding *e, hd_smt_what what)
{
    const hd_suite_cover_watch *w = e->packing->watch;
    const char *reply = hd_smt_ask(e->smt, what, &e->text, w->goes_on, w->context);
    hd_vec_clear(&e->text);
    return reply;
}

static hd_suite_encode_answer ask_once(hd_suite_encoding *e, uint32_t copies)
{
    put(e, "(check-sat)\n");
    const char *reply = send(e, HD_SMT_RUN);
    if (!reply || (strncmp(reply, "sat", 3) && strncmp(reply, "unsat", 5)))
        return HD_SUITE_ENCODE_STOPPED;
    if (!strncmp(reply, "unsat", 5))
        return HD_SUITE_ENCODE_NO;
    put(e, "(get-value (");
    for (uint32_t c = 0; c < copies; c++)
        for (uint32_t i = 0; i < e->asked_count; i++)
            put(e, "x%u_%u ", e->asked[i], c);
    put(e, "))\n");
    reply = send(e, HD_SMT_RUN);
    if (!reply || !strncmp(reply, "(error", 6))
        return HD_SUITE_ENCODE_STOPPED;
    reserve_values(e, copies);
    read_values(e, reply);
    return HD_SUITE_ENCODE_YES;
}

static hd_suite_encode_answer optimise_once(hd_suite_encoding *e, const hd_smt_text *question)
{
    put(e, "%.*s", (int)question->count, question->items);
    const char *reply = send(e, HD_SMT_OPTIMISE);
    if (!reply || strncmp(reply, "sat", 3))
        return HD_SUITE_ENCODE_STOPPED;
    reserve_values(e, 1);
    read_values(e, reply);
    return HD_SUITE_ENCODE_YES;
}

/* The exclusions are collected in the question, because the optimiser keeps nothing from call to call. */
hd_suite_encode_answer hd_suite_encode_optimise(hd_suite_encoding *e)
{
    hd_smt_text question = e->text;
    numbers branches = { 0 };
    hd_suite_encode_answer answer;
    e->text = (hd_smt_text) { 0 };
    while (true) {
        answer = optimise_once(e, &question);
        if (answer != HD_SUITE_ENCODE_YES || !e->problem->trees->satisfiable || has_inputs(e, 0, &branches))
            break;
        put_exclusion(&question, &branches, 0);
    }
    hd_vec_fini(&question);
    hd_vec_fini(&branches);
    return answer;
}

hd_suite_encode_answer hd_suite_encode_ask(hd_suite_encoding *e, uint32_t copies)
{
    numbers branches = { 0 };
    hd_suite_encode_answer answer;
    bool again;
    do {
        again = false;
        answer = ask_once(e, copies);
        for (uint32_t c = 0; c < copies && answer == HD_SUITE_ENCODE_YES && e->problem->trees->satisfiable; c++)
            if (!has_inputs(e, c, &branches)) {
                exclude(e, &branches, copies);
                again = true;
            }
    } while (again);
    hd_vec_fini(&branches);
    return answer;
}

void hd_suite_encode_cone(hd_suite_encoding *e, uint32_t copy, hd_configuration *out)
{
    hd_configuration one = { 0 };
    hd_vec_clear(out);
    for (uint32_t i = 0; i < e->asked_count; i++)
        if (e->value[(size_t)copy * e->asked_count + i]) {
            hd_configuration_of(e->packing->space, e->asked[i], &one);
            hd_configuration_join(out, &one);
        }
    hd_vec_fini(&one);
}

/* --- the smallest number -------------------------------------------------------------------------- */

/* Every goal is in some copy. Goals that exclude each other are in different copies; fixing which
 * breaks the symmetry between copies. */
static void put_question(hd_suite_encoding *e, uint32_t copies, const uint32_t *exclusive, uint32_t count)
{
    const hd_suite_problem *n = e->problem;
    put(e, "(push)\n");
    for (uint32_t i = 0; i < count && i < copies; i++)
        put(e, "(assert x%u_%u)\n", exclusive[i], i);
    for (size_t g = 0; g < n->goals.count; g++) {
        put(e, "(assert ");
        hd_suite_encode_goal(e, &n->goals.items[g], copies);
        put(e, ")\n");
    }
}

static void take_model(hd_suite_encoding *e, uint32_t copies)
{
    hd_suite_packing_clear(e->packing);
    for (uint32_t c = 0; c < copies; c++) {
        hd_configuration cone = { 0 };
        hd_suite_encode_cone(e, c, &cone);
        hd_vec_push(&e->packing->cover->tests, cone);
    }
}

void hd_suite_encode_close_gap(hd_suite_packing *p, const uint32_t *exclusive, uint32_t count)
{
    hd_suite_encoding e;
    hd_suite_cover *cover = p->cover;
    hd_suite_encode_answer answer = HD_SUITE_ENCODE_NO;
    uint32_t copies = 0;
    bool ready = hd_suite_encode_open(&e, p, (uint32_t)cover->tests.count);
    while (ready && answer == HD_SUITE_ENCODE_NO && cover->lower < cover->tests.count) {
        /* Copies of the rounds before are kept; only new ones are added. */
        for (; copies < cover->lower; copies++)
            hd_suite_encode_copy(&e, copies);
        put_question(&e, copies, exclusive, count);
        answer = hd_suite_encode_ask(&e, copies);
        if (answer == HD_SUITE_ENCODE_YES)
            take_model(&e, copies);
        /* "No" is a proof only because all goals and all their causes are encoded. */
        cover->lower += answer == HD_SUITE_ENCODE_NO;
        put(&e, "(pop)\n");
        hd_suite_packing_tell(p);
    }
    hd_suite_encode_close(&e);
}
