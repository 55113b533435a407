#include "runtime/sync/barrier.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/core/own.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/places.h"
#include "runtime/sched/access.h"
#include "runtime/sched/log.h"
#include "runtime/sched/objects.h"
#include "runtime/sync/made.h"

#include <errno.h>

/* --- members ---------------------------------------------------------------------- */

/* The threads that have arrived at a barrier, by slot: a pthread_barrier_t has no room for them. */
typedef struct circle {
    const hd_barrier *barrier;
    uint32_t run; /* an entry of an earlier run is free */
    uint64_t members[HD_MAX_THREADS / 64];
} circle;

enum { CIRCLES = 1 << 10 };

static circle *circles; /* a hash table */
static uint32_t run, circle_count;

void hd_barriers_new_run(void)
{
    run++;
    circle_count = 0;
}

/* The entry of the barrier, made if there is none; NULL: no room. */
static circle *circle_of(const hd_barrier *b)
{
    if (!circles)
        circles = hd_own_alloc(CIRCLES * sizeof *circles);
    uint32_t at = (uint32_t)((uintptr_t)b * 0x9e3779b97f4a7c15u >> 32) % CIRCLES;
    while (circles[at].run == run && circles[at].barrier != b)
        at = (at + 1) % CIRCLES;
    if (circles[at].run != run) {
        if (++circle_count == CIRCLES)
            return NULL;
        circles[at] = (circle) { .barrier = b, .run = run };
    }
    return &circles[at];
}

static void forget_members(const hd_barrier *b)
{
    circle *c = circle_of(b);
    if (c)
        *c = (circle) { .barrier = b, .run = run };
}

/* --- barriers --------------------------------------------------------------------- */

/* Called before and after an operation: other threads may destroy the barrier, or free its memory, in between. */
static void check(const hd_barrier *b, const char *what, const hd_site *site)
{
    if (!hd_objects_check(HD_BARRIER_ARRIVE, b, sizeof *b, site))
        return;
    if (b->made != HD_MADE)
        hd_end(HD_MISUSE, site, "%s of a barrier that is not initialised", what);
}

int hd_barrier_init(hd_barrier *b, uint32_t count)
{
    const hd_site *site = hd_call_site;
    hd_objects_check_new(HD_BARRIER_INIT, b, sizeof *b, site);
    if (!count)
        return EINVAL;
    hd_perform_life(HD_BARRIER_INIT, b);
    if (b->made == HD_MADE && b->arrived)
        hd_end(HD_MISUSE, site, "initialisation of a barrier that %u threads wait at", b->arrived);
    *b = (hd_barrier) { .count = count, .made = HD_MADE };
    forget_members(b);
    return 0;
}

int hd_barrier_destroy(hd_barrier *b)
{
    const hd_site *site = hd_call_site;
    check(b, "destruction", site);
    hd_perform_life(HD_BARRIER_DESTROY, b);
    check(b, "destruction", site);
    if (b->arrived)
        hd_end(HD_MISUSE, site, "destruction of a barrier that %u threads wait at", b->arrived);
    *b = (hd_barrier) { 0 };
    return 0;
}

static int is_ordered(const hd_barrier *b)
{
    for (uint32_t i = 0; i < hd_known->barrier_count; i++)
        if (hd_known->barriers[i] == b)
            return 1;
    return 0;
}

/* Records that the order of arrivals at this barrier matters; the run ends, since its arrivals were treated as
 * commuting. */
static void learn_order(const hd_barrier *b)
{
    if (hd_known->barrier_count == HD_ORDERED_BARRIERS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d barriers that more threads use than they count",
            HD_ORDERED_BARRIERS);
    hd_known->barriers[hd_known->barrier_count++] = b;
    hd_learned_now("more threads than a barrier counts arrive at it");
}

/* Before the arrival, not after it: whether arrivals commute must be known when the operation is published. */
static void join_members(hd_barrier *b)
{
    circle *c = circle_of(b);
    uint64_t bit = 1ull << hd_current->id % 64;
    if (!c)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d barriers", CIRCLES);
    uint64_t *word = &c->members[hd_current->id / 64];
    if (*word & bit)
        return;
    if (b->members == b->count)
        learn_order(b);
    *word |= bit;
    b->members++;
}

static int is_in_round(const hd_thread *t, const hd_barrier *b)
{
    return t == hd_current || (t->waits_on == b && !t->woken && hd_sees_same(t, b));
}

int hd_barrier_is_valid(const hd_barrier *b)
{
    uint32_t waiting = 0;
    if (b->made != HD_MADE)
        return 1;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        waiting += hd_threads[i].waits_on == b && !hd_threads[i].woken && hd_sees_same(&hd_threads[i], b);
    return b->arrived == waiting && b->arrived < b->count && (is_ordered(b) || b->members <= b->count);
}

static void check_validity(const hd_barrier *b)
{
    hd_check_valid(hd_barrier_is_valid(b), *hd_rt.thread_count + hd_known->barrier_count, 0);
}

/* The round is complete: all of its threads continue, and each happens after the arrivals of all others. */
static void release(hd_barrier *b)
{
    uint32_t count = *hd_rt.thread_count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (i != k && is_in_round(&hd_threads[i], b) && is_in_round(&hd_threads[k], b))
                hd_edge(&hd_threads[i], &hd_threads[k], HD_WAIT_BARRIER, 0);
    b->arrived = 0;
    for (uint32_t i = 0; i < count; i++)
        if (&hd_threads[i] != hd_current && is_in_round(&hd_threads[i], b)) {
            hd_threads[i].woken = 1;
            hd_wake(&hd_threads[i]);
        }
}

int hd_barrier_wait(hd_barrier *b, int ordered)
{
    hd_thread *t = hd_current;
    const hd_site *site = hd_call_site;
    check(b, "wait", site);
    hd_step_must_be_over("a barrier");
    int known = is_ordered(b);
    if (!known && hd_exploring())
        join_members(b);
    hd_perform(ordered || known ? HD_BARRIER_ARRIVE_ORDERED : HD_BARRIER_ARRIVE, b, NULL);
    check(b, "wait", site);
    if (++b->arrived == b->count) {
        release(b);
        check_validity(b);
        return 1;
    }
    t->waits_on = b;
    t->woken = 0;
    check_validity(b);
    hd_call_site = site;
    hd_wait_for(HD_WAIT_BARRIER, b);
    t->waits_on = NULL;
    return 0;
}
