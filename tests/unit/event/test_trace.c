/* Traces against happens-before as the definition has it: sets of steps. */
#include "event/trace.h"
#include "unit/scripted.h"
#include "unit/test.h"

enum { MOST_STEPS = 128, PROGRAMS = 300 };

typedef struct set {
    bool has[MOST_STEPS];
} set;

/* The definition: a step comes after those before it in its thread, those it
 * conflicts with, those an edge puts before it, and all that come before them.
 * `sync`: only what the program can rely on orders. */
typedef struct reference {
    set past[MOST_STEPS]; /* per step */
    set open[HD_SCRIPT_THREADS]; /* per thread: what comes before its next step */
    uint32_t first[MOST_STEPS], count[MOST_STEPS]; /* its operations in the log */
    uint32_t steps;
} reference;

static void unite(set *into, const set *from)
{
    for (uint32_t i = 0; i < MOST_STEPS; i++)
        into->has[i] |= from->has[i];
}

static bool is_atomic(uint8_t kind)
{
    return kind == HD_LOAD || kind == HD_STORE || kind == HD_RMW || kind == HD_RMW_SAME;
}

static bool orders(const hd_op *a, const hd_op *b, bool sync)
{
    if (!hd_ops_conflict(a, b))
        return false;
    if (!sync || a->kind == HD_EXIT || b->kind == HD_EXIT)
        return !sync;
    if (hd_op_class(b->kind) == HD_OBJECT_MEMORY)
        return (a->kind == HD_STORE || a->kind == HD_RMW) && is_atomic(b->kind) && b->kind != HD_STORE;
    return !hd_kind_looks(a->kind) && !hd_kind_looks(b->kind);
}

static void order_step(reference *r, const hd_execution *e, uint32_t step, uint32_t entry, bool sync)
{
    for (uint32_t s = 0; s < step; s++)
        for (uint32_t k = 0; k < r->count[s]; k++) {
            const hd_op *earlier = &e->log[r->first[s] + k];
            if (orders(earlier, &e->log[entry], sync)) {
                unite(&r->past[step], &r->past[s]);
                r->past[step].has[s] = true;
            }
        }
    set *open = &r->open[e->log[entry].thread];
    unite(open, &r->past[step]);
    open->has[step] = true;
}

static void make_reference(reference *r, const hd_execution *e, bool sync)
{
    memset(r, 0, sizeof *r);
    for (uint32_t i = 0; i < e->log_count && r->steps < MOST_STEPS - 1; i++) {
        const hd_op *op = &e->log[i];
        if (op->kind == HD_EDGE) {
            unite(&r->open[op->thread], &r->open[op->object]);
        } else if (op->flags & HD_OP_CONTINUES) {
            r->count[r->steps - 1]++;
            order_step(r, e, r->steps - 1, i, sync);
        } else if (!(op->flags & HD_OP_WITHDRAWN)) {
            r->first[r->steps] = i;
            r->count[r->steps] = 1;
            unite(&r->past[r->steps], &r->open[op->thread]);
            order_step(r, e, r->steps++, i, sync);
        }
    }
}

static hd_execution run_randomly(scripted *x, uint64_t seed)
{
    hd_script_program p;
    draw_program(&p, seed, seed % 4);
    scripted_open(x, &p, &hd_heap);
    return hd_target_run(&x->target, &(hd_plan) { .tail = HD_TAIL_RANDOM, .seed = seed });
}

static void check_order(const hd_trace *t, const reference *r, uint64_t seed)
{
    for (uint32_t a = 0; a < r->steps; a++)
        for (uint32_t b = a + 1; b < r->steps; b++) {
            bool before = hd_trace_before(t, t->steps.items[a], t->steps.items[b]);
            if (before != r->past[b].has[a])
                hd_test_failed(
                    __FILE__, __LINE__, "seed %llu: step %u before %u: %d", (unsigned long long)seed, a, b, before);
        }
}

TEST(clocks_are_happens_before)
{
    static scripted x;
    static reference r;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        hd_execution e = run_randomly(&x, seed);
        hd_trace t;
        hd_trace_init(&t, &hd_heap, true);
        CHECK(hd_trace_extend(&t, &e));
        CHECK(hd_trace_is_valid(&t));
        make_reference(&r, &e, false);
        CHECK_INT(t.steps.count, r.steps);
        check_order(&t, &r, seed);
        hd_trace_fini(&t);
        scripted_close(&x);
    }
}

TEST(a_trace_that_was_cut_and_extended_is_as_if_new)
{
    static scripted x;
    static reference r;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        hd_execution e = run_randomly(&x, seed);
        hd_trace t;
        hd_rng rng;
        hd_trace_init(&t, &hd_heap, false);
        hd_rng_seed(&rng, seed);
        make_reference(&r, &e, false);
        for (int i = 0; i < 4; i++) {
            CHECK(hd_trace_extend(&t, &e));
            CHECK(hd_trace_is_valid(&t));
            check_order(&t, &r, seed);
            hd_trace_cut(&t, (uint32_t)hd_rng_below(&rng, t.steps.count + 1));
            CHECK(hd_trace_is_valid(&t));
        }
        hd_trace_fini(&t);
        scripted_close(&x);
    }
}

static uint32_t step_of(const hd_trace *t, uint32_t access)
{
    return t->items.items[t->accesses.items[access].item].position;
}

static bool is_race(const reference *r, const hd_op *a, const hd_op *b, uint32_t first, uint32_t second)
{
    return a->thread != b->thread && hd_op_class(a->kind) == HD_OBJECT_MEMORY
        && hd_op_class(b->kind) == HD_OBJECT_MEMORY && hd_ops_conflict(a, b)
        && !(is_atomic(a->kind) && is_atomic(b->kind)) && !r->past[second].has[first];
}

/* Those reported are races, and where there is a race there is a report. */
TEST(data_races_are_accesses_that_nothing_orders)
{
    static scripted x;
    static reference r;
    uint32_t racy = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        hd_execution e = run_randomly(&x, seed);
        hd_trace t;
        hd_trace_init(&t, &hd_heap, true);
        hd_trace_extend(&t, &e);
        make_reference(&r, &e, true);
        for (size_t i = 0; i < t.new_races.count; i++) {
            hd_race race = t.new_races.items[i];
            CHECK(is_race(&r, &t.ops.items[race.first], &t.ops.items[race.second], step_of(&t, race.first),
                step_of(&t, race.second)));
        }
        bool any = false;
        for (uint32_t b = 0; b < t.ops.count; b++)
            for (uint32_t a = 0; a < b; a++)
                any |= is_race(&r, &t.ops.items[a], &t.ops.items[b], step_of(&t, a), step_of(&t, b));
        CHECK_INT(t.new_races.count > 0, any);
        racy += any;
        hd_trace_fini(&t);
        scripted_close(&x);
    }
    CHECK(racy > PROGRAMS / 10 && racy < PROGRAMS);
}

/* --- validity ------------------------------------------------------------------- */

#define CHECK_TRACE(field, wrong) CHECK_NOTICED(hd_trace_is_valid(t), t->field, wrong)

/* The first step whose object was accessed before. */
static uint32_t a_step_with_history(const hd_trace *t)
{
    for (uint32_t i = 0; i < t->accesses.count; i++)
        if (t->accesses.items[i].before != HD_NO_ITEM && t->accesses.items[i].item > 2)
            return t->accesses.items[i].item;
    return HD_NO_ITEM;
}

static void break_items(hd_trace *t, uint32_t step)
{
    uint32_t *clock = t->clocks + (size_t)step * 2 * t->width, thread = t->items.items[step].thread;
    for (uint32_t i = 0; i < 2 * t->width; i++)
        if (i != thread)
            CHECK_NOTICED(hd_trace_is_valid(t), clock[i], clock[i] + 1);
    CHECK_TRACE(items.items[step].number, t->items.items[step].number + 1);
    CHECK_TRACE(items.items[step].position, t->items.items[step].position + 1);
    CHECK_TRACE(items.items[step].after, t->items.items[step].after + 1);
    CHECK_TRACE(items.items[step].before, step);
    CHECK_TRACE(items.items[step].kind, HD_ITEM_EDGE);
    CHECK_TRACE(steps.items[0], step + 1);
    CHECK_TRACE(last[thread], HD_NO_ITEM);
    CHECK_TRACE(step_count[thread], 0);
}

static void break_histories(hd_trace *t, uint32_t step)
{
    uint32_t access = t->items.items[step].access;
    while (t->accesses.items[access].before == HD_NO_ITEM)
        access++;
    CHECK_TRACE(accesses.items[access].before, HD_NO_ITEM);
    CHECK_TRACE(accesses.items[access].other, access);
    CHECK_TRACE(accesses.items[access].held, 7);
    CHECK_TRACE(accesses.items[access].item, 0);
    CHECK_TRACE(accesses.items[access].object, t->accesses.items[access].object + 1);
    CHECK_TRACE(heads.items[t->accesses.items[access].object], 0);
    CHECK_TRACE(heads.items[t->accesses.items[access].object], HD_NO_ITEM);
    CHECK_TRACE(operands.count, 0);
}

static void break_index(hd_trace *t, uint32_t step)
{
    uint32_t position = t->items.items[step].position, slot = hd_trace_slot(&t->ops.items[t->items.items[step].access]);
    CHECK_TRACE(index.items[position / 64].threads[t->items.items[step].thread], 0);
    CHECK_TRACE(index.items[position / 64].threads[0], ~0ull);
    CHECK_TRACE(index.items[position / 64].touches[slot], 0);
    if (!hd_kind_looks(t->ops.items[t->items.items[step].access].kind))
        CHECK_TRACE(index.items[position / 64].changes[slot], 0);
}

static void break_edges(hd_trace *t)
{
    CHECK_TRACE(last_edge[1], t->last_edge[1] + 1);
    CHECK_TRACE(edges.items[0].before, 0);
    CHECK_TRACE(edges.items[0].to, t->edges.items[0].to + 1);
    CHECK_TRACE(edges.items[0].item, 0);
    CHECK_TRACE(edges.items[0].from, (uint32_t)t->items.count);
}

/* One wrong field of each kind, in many traces. */
TEST(validity_notices_what_is_wrong)
{
    static scripted x;
    uint32_t broken = 0, with_edges = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        hd_execution e = run_randomly(&x, seed);
        hd_trace trace, *t = &trace;
        hd_trace_init(t, &hd_heap, false);
        CHECK(hd_trace_extend(t, &e));
        uint32_t step = a_step_with_history(t);
        if (step != HD_NO_ITEM) {
            break_items(t, step);
            break_histories(t, step);
            break_index(t, step);
            broken++;
        }
        if (t->edges.count) {
            break_edges(t);
            with_edges++;
        }
        hd_trace_fini(t);
        scripted_close(&x);
    }
    CHECK(broken > 30 && with_edges > 5);
}
