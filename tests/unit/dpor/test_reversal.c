/* Races and their reversals, by trying: a step can come before an earlier one if the target
 * does it there. */
#include "unit/scripted.h"
#include "unit/test.h"

#include "dpor/reversal.h"

enum { MOST_STEPS = 256, MOST_READ_LOCKS = 6 };

static scripted x;
static uint32_t known_updates, left_out_several;

typedef struct tried {
    bool possible;
    hd_op op; /* what was done last */
} tried;

/* Runs a schedule as far as it goes. */
static tried try_schedule(const hd_choice *steps, uint32_t count)
{
    hd_plan plan = { .prefix = steps, .prefix_count = count };
    hd_execution e = hd_target_run(&x.target, &plan);
    tried result = { .possible = e.outcome->kind != HD_DIVERGED };
    uint32_t n = 0;
    for (uint32_t i = 0; result.possible && i < e.log_count; i++) {
        const hd_op *op = &e.log[i];
        if (op->kind == HD_EDGE || (op->flags & (HD_OP_WITHDRAWN | HD_OP_CONTINUES)))
            continue;
        if (++n == count)
            result.op = *op;
    }
    result.possible &= n >= count;
    return result;
}

static const hd_item *step_at(const hd_trace *t, uint32_t position)
{
    return &t->items.items[t->steps.items[position]];
}

/* Does step `p` depend on `earlier`, or on a step of the set? */
static bool is_dropped(const hd_trace *t, uint32_t earlier, const uint32_t *also, uint32_t set, uint32_t p)
{
    bool dropped = hd_trace_before(t, t->steps.items[earlier], t->steps.items[p]);
    for (uint32_t i = 0; set >> i; i++)
        dropped |= set >> i & 1 && hd_trace_before(t, t->steps.items[also[i]], t->steps.items[p]);
    return dropped;
}

/* The steps before `earlier`, then those before `later` that depend neither on it nor on a step of the set, then
 * `later`. */
static uint32_t make_schedule(
    const hd_trace *t, uint32_t earlier, const uint32_t *also, uint32_t set, uint32_t later, hd_choice *steps)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < later; p++)
        if (p < earlier || (p > earlier && !is_dropped(t, earlier, also, set, p)))
            steps[count++] = (hd_choice) { step_at(t, p)->thread, step_at(t, p)->choice };
    steps[count++] = (hd_choice) { step_at(t, later)->thread, 0 };
    return count;
}

static bool conflict(const hd_trace *t, uint32_t a, uint32_t b)
{
    const hd_item *x1 = step_at(t, a), *x2 = step_at(t, b);
    return hd_steps_conflict(&t->ops.items[x1->access], x1->access_count, &t->ops.items[x2->access], x2->access_count);
}

/* The read locks between the two steps that are on later's lock and may be left out with the earlier one. */
static uint32_t find_read_locks(const hd_trace *t, uint32_t earlier, uint32_t later, uint32_t *positions)
{
    const hd_item *b = step_at(t, later);
    const hd_op *op = &t->ops.items[b->access];
    uint32_t count = 0;
    for (uint32_t p = earlier + 1; op->kind == HD_WRLOCK && p < later; p++) {
        const hd_op *other = &t->ops.items[step_at(t, p)->access];
        if (other->kind == HD_RDLOCK && other->object == op->object && count < MOST_READ_LOCKS
            && (b->before == HD_NO_ITEM || !hd_trace_before(t, t->steps.items[p], b->before)))
            positions[count++] = p;
    }
    return count;
}

/* By trying: does `later` race with `earlier`, if nothing between them does? */
static bool may_race(const hd_trace *t, uint32_t earlier, uint32_t later)
{
    const hd_item *a = step_at(t, earlier), *b = step_at(t, later);
    hd_choice steps[MOST_STEPS];
    if (a->thread == b->thread || !conflict(t, earlier, later)
        || (b->before != HD_NO_ITEM && hd_trace_before(t, t->steps.items[earlier], b->before)))
        return false;
    uint32_t also[MOST_READ_LOCKS], sets = 1u << find_read_locks(t, earlier, later, also);
    bool possible = false;
    for (uint32_t set = 0; !possible && set < sets; set++) {
        possible = try_schedule(steps, make_schedule(t, earlier, also, set, later, steps)).possible;
        left_out_several += possible && set;
    }
    return possible;
}

static bool is_among(uint32_t item, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i] == item)
            return true;
    return false;
}

/* Items that race with step `later`, the latest of those that are ordered. */
static uint32_t find_by_trying(const hd_trace *t, uint32_t later, uint32_t *racing)
{
    uint32_t count = 0;
    for (uint32_t p = later; p-- > 0;) {
        uint32_t item = t->steps.items[p];
        bool hidden = false;
        for (uint32_t i = 0; i < count; i++)
            hidden |= hd_trace_before(t, item, racing[i]);
        if (!hidden && may_race(t, p, later))
            racing[count++] = item;
    }
    return count;
}

/* An update of one byte, moved before an atomic access of it: what it does there
 * follows from what that one found. */
static bool is_known(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later)
{
    const hd_op *first = &t->ops.items[t->items.items[earlier].access], *op = later->ops;
    return hd_op_test(op) && later->op_count == 1 && first->object == op->object && first->kind >= HD_LOAD
        && first->kind <= HD_RMW_SAME && (first->mask & op->mask) == op->mask;
}

/* The reversing sequence must be possible with each of its outcomes, and no
 * other; and, if it is exact, do what it says. */
static void check_sequence(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint64_t seed)
{
    hd_reversal_room room;
    hd_choice steps[MOST_STEPS];
    hd_reversal_init(&room, &hd_heap);
    hd_reversal_step moved = *later;
    hd_reversal_leave_out(t, &moved, earlier, room.also);
    uint32_t outcomes = hd_reversal_sequence(t, earlier, &moved, &room), count = 0;
    for (uint32_t p = 0; p < t->items.items[earlier].position; p++)
        steps[count++] = (hd_choice) { step_at(t, p)->thread, step_at(t, p)->choice };
    const hd_sequence *s = &room.sequence;
    for (uint32_t p = s->start; p < s->end; p++)
        if (hd_sequence_has(s->in, p))
            steps[count++] = (hd_choice) { step_at(t, p)->thread, step_at(t, p)->choice };
    const hd_sequence_last *last = &s->last;
    steps[count++] = (hd_choice) { last->thread, 0 };
    known_updates += is_known(t, earlier, later);
    if (last->inexact && is_known(t, earlier, later))
        hd_test_failed(__FILE__, __LINE__, "seed %llu: an update is not known", (unsigned long long)seed);
    for (uint32_t k = 0; k <= outcomes; k++) {
        steps[count - 1].choice = (uint8_t)k;
        tried done = try_schedule(steps, count);
        if (done.possible != (k < outcomes))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: outcome %u of %u of '%s' is %s", (unsigned long long)seed, k,
                outcomes, hd_op_text(last->ops->kind), done.possible ? "possible" : "not possible");
        if (done.possible && !last->inexact && done.op.kind != last->ops->kind)
            hd_test_failed(__FILE__, __LINE__, "seed %llu: '%s' is '%s' there", (unsigned long long)seed,
                hd_op_text(last->ops->kind), hd_op_text(done.op.kind));
    }
    hd_reversal_fini(&room);
}

static uint32_t check_step(const hd_trace *t, uint32_t position, uint64_t seed)
{
    uint32_t found[HD_MAX_THREADS + 1], expected[MOST_STEPS];
    hd_reversal_step later = hd_reversal_of_step(t, position);
    if (later.ops->kind == HD_EXIT)
        return 0;
    uint32_t count = hd_reversal_find(t, &later, found), wanted = find_by_trying(t, position, expected);
    for (uint32_t i = 0; i < wanted; i++)
        if (!is_among(expected[i], found, count))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: step %u races with step %u, which is not found",
                (unsigned long long)seed, position, t->items.items[expected[i]].position);
    for (uint32_t i = 0; i < count; i++)
        if (!is_among(found[i], expected, wanted))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: step %u does not race with step %u, which is found",
                (unsigned long long)seed, position, t->items.items[found[i]].position);
        else
            check_sequence(t, found[i], &later, seed);
    return count;
}

static uint32_t check_execution(uint64_t seed)
{
    hd_trace t;
    uint32_t races = 0;
    hd_plan plan = { .tail = HD_TAIL_RANDOM, .seed = seed };
    hd_execution e = hd_target_run(&x.target, &plan);
    hd_trace_init(&t, &hd_heap, false);
    CHECK(hd_trace_extend(&t, &e));
    for (uint32_t p = 0; p < t.steps.count; p++)
        races += check_step(&t, p, seed);
    hd_trace_fini(&t);
    return races;
}

TEST(races_are_those_that_can_be_reversed)
{
    uint32_t races = 0;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        hd_script_program p;
        draw_program(&p, seed, seed % 8 + (seed % 3 ? 0 : DRAW_RWLOCKS));
        scripted_open(&x, &p, &hd_heap);
        for (uint64_t i = 0; i < 3; i++)
            races += check_execution(seed * 10 + i);
        scripted_close(&x);
    }
    CHECK(races > 1000 && known_updates > 100 && left_out_several > 10);
}
