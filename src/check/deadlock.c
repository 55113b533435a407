/* Deadlocks: threads that are blocked forever, all of them or a group, even if the rest of the program ends normally.
 *
 * A thread is stuck if it is blocked and only stuck threads could unblock it: the holder of its
 * mutex, the thread that it joins, or, for other reasons, any live thread. The set of stuck threads
 * is the greatest fixed point: start from all blocked threads and remove those that a thread
 * outside of the set could unblock.
 *
 * In a system of processes, a thread that waits for requests is not stuck, and could unblock threads
 * of its own process; those of other processes, which wait for an answer, it could not: there is
 * nobody left to send a request. */
#include "check/checks.h"

#include "abi/lives.h"
#include "base/map.h"
#include "event/op.h"

#include <stdio.h>
#include <string.h>

enum { NOBODY = -1, ANYBODY = -2 };

/* The holder of the object, read backwards from the log: the last operation on it decides. A lock
 * with readers may have several holders: ANYBODY. */
static int holder_of(const hd_execution *e, uint64_t object)
{
    for (uint32_t i = e->log_count; i-- > 0;) {
        const hd_op *op = &e->log[i];
        if (op->object != object || (op->flags & HD_OP_WITHDRAWN))
            continue;
        switch (hd_kinds[op->kind].role) {
        case HD_ROLE_TAKES:
        case HD_ROLE_BEGINS:
            return op->thread;
        case HD_ROLE_GIVES:
        case HD_ROLE_ENDS:
            return NOBODY;
        case HD_ROLE_SHARES:
        case HD_ROLE_UNSHARES:
            return ANYBODY;
        default:
            break;
        }
    }
    return NOBODY;
}

/* The thread that could unblock `t`: a thread's number, or ANYBODY if it is not known, or NOBODY. */
static int find_awaited(const hd_execution *e, uint32_t t)
{
    const hd_thread_view *v = &e->threads[t];
    if (v->status == HD_THREAD_WAITING)
        return v->waits_for == HD_WAIT_JOIN ? (int)v->wait_object : ANYBODY;
    bool held = hd_objects[hd_op_class(v->pending.kind)].waits_for == HD_WAITS_HOLDER;
    return held && !(v->pending.flags & HD_OP_SPUN) ? holder_of(e, v->pending.object) : ANYBODY;
}

static bool is_blocked(const hd_thread_view *v)
{
    return !v->dead && (v->status == HD_THREAD_WAITING || (v->status == HD_THREAD_AT_OP && !v->enabled));
}

/* An execution, and whom each blocked thread waits for. */
typedef struct waits {
    const hd_execution *e;
    int whom[HD_MAX_THREADS];
} waits;

static void find_waits(waits *w, const hd_execution *e)
{
    w->e = e;
    for (uint32_t t = 0; t < e->thread_count; t++)
        w->whom[t] = is_blocked(&e->threads[t]) ? find_awaited(e, t) : NOBODY;
}

static hd_thread_set live_threads(const hd_execution *e)
{
    hd_thread_set live = { 0 };
    for (uint32_t t = 0; t < e->thread_count; t++)
        if (e->threads[t].status != HD_THREAD_DONE && e->threads[t].status != HD_THREAD_UNUSED && !e->threads[t].dead)
            hd_thread_set_add(&live, t);
    return live;
}

/* Is there a live thread that is not stuck, and is no server of another process? */
static bool has_helper(const hd_execution *e, uint32_t t, const hd_thread_set *live, const hd_thread_set *stuck)
{
    for (uint32_t i = 0; i < e->thread_count; i++) {
        const hd_thread_view *v = &e->threads[i];
        if (hd_thread_set_has(live, i) && !hd_thread_set_has(stuck, i)
            && (!v->serves || v->process == e->threads[t].process))
            return true;
    }
    return false;
}

/* Could a live thread that is not stuck unblock `t`? */
static bool could_go_on(const waits *w, uint32_t t, const hd_thread_set *live, const hd_thread_set *stuck)
{
    int whom = w->whom[t];
    if (whom == ANYBODY)
        return hd_thread_set_exceeds(live, stuck) && has_helper(w->e, t, live, stuck);
    /* An operation that is blocked on a lock without a holder cannot be unblocked by any thread. */
    if (whom == NOBODY)
        return w->e->threads[t].status != HD_THREAD_AT_OP;
    return hd_thread_set_has(live, (uint32_t)whom) && !hd_thread_set_has(stuck, (uint32_t)whom);
}

static hd_thread_set stuck_threads(const waits *w)
{
    const hd_execution *e = w->e;
    hd_thread_set stuck = { 0 }, live = live_threads(e);
    for (uint32_t t = 0; t < e->thread_count; t++)
        if (is_blocked(&e->threads[t]) && !e->threads[t].serves)
            hd_thread_set_add(&stuck, t);
    /* Removing a thread can free others, so repeat until nothing changes. */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < e->thread_count; t++)
            if (hd_thread_set_has(&stuck, t) && could_go_on(w, t, &live, &stuck)) {
                hd_thread_set_remove(&stuck, t);
                changed = true;
            }
    }
    return stuck;
}

static bool someone_is_blocked(const hd_execution *e)
{
    for (uint32_t t = 0; t < e->thread_count; t++)
        if (is_blocked(&e->threads[t]))
            return true;
    return false;
}

static const hd_site *location_of(const hd_thread_view *v)
{
    return v->status == HD_THREAD_WAITING ? v->wait_site : v->pending.site;
}

static bool is_in_loop(const hd_thread_view *v)
{
    if (v->status == HD_THREAD_WAITING)
        return v->waits_for == HD_WAIT_LOOP;
    return (v->pending.flags & HD_OP_SPUN) && hd_objects[hd_op_class(v->pending.kind)].waits_for != HD_WAITS_RETRIES;
}

/* The threads on a cycle of the waits-for graph; all stuck threads if no cycle is known. The key is
 * made of these alone: which further threads wait for the cycle depends on the schedule, and does
 * not make it another deadlock. */
static hd_thread_set core_of(const waits *w, const hd_thread_set *stuck)
{
    uint32_t count = w->e->thread_count;
    hd_thread_set core = { 0 };
    for (uint32_t t = 0; t < count; t++) {
        int at = (int)t;
        for (uint32_t steps = 0; steps < count && at >= 0 && hd_thread_set_has(stuck, (uint32_t)at); steps++) {
            at = w->whom[at];
            if (at == (int)t)
                hd_thread_set_add(&core, t);
        }
    }
    return hd_thread_set_count(&core) ? core : *stuck;
}

/* A thread that waits for a lock that it holds itself; -1: there is none. */
static int waits_for_itself(const waits *w, const hd_thread_set *stuck)
{
    for (uint32_t t = 0; t < w->e->thread_count; t++)
        if (hd_thread_set_has(stuck, t) && w->whom[t] == (int)t)
            return (int)t;
    return -1;
}

static void describe(const waits *w, const hd_thread_set *stuck, hd_finding *out)
{
    const hd_execution *e = w->e;
    uint32_t threads = hd_thread_set_count(stuck);
    bool all = e->outcome->kind == HD_DEADLOCK;
    hd_thread_set core = core_of(w, stuck);
    uint64_t locations = 0;
    bool spins = false;
    for (uint32_t t = 0; t < e->thread_count; t++)
        if (hd_thread_set_has(&core, t)) {
            /* A sum, so that the order of thread numbers does not matter. */
            locations += hd_finding_location(location_of(&e->threads[t]));
            spins |= is_in_loop(&e->threads[t]);
            out->thread = t;
        }
    out->key = hd_hash(locations ^ out->kind);
    int self = waits_for_itself(w, stuck);
    if (self >= 0) {
        out->thread = (uint32_t)self;
        snprintf(out->message, sizeof out->message, "self-deadlock: T%u waits for a lock that it holds itself",
            hd_thread_number(e->log, e->log_count, hd_identity(out->thread, e->threads[self].life)));
        return;
    }
    snprintf(out->message, sizeof out->message, "deadlock: %u thread%s blocked forever%s%s%s", threads,
        threads == 1 ? " is" : "s are", all ? "" : " while others finish", spins ? " (waiting in a loop)" : "",
        all ? e->outcome->message : ""); /* what it depends on */
}

bool hd_check_deadlock(const hd_execution *e, hd_finding *out)
{
    bool ended = hd_outcome_is_exit(e->outcome->kind);
    if ((e->outcome->kind != HD_DEADLOCK && !ended) || !someone_is_blocked(e))
        return false;
    waits w;
    find_waits(&w, e);
    hd_thread_set stuck = stuck_threads(&w);
    /* Worker threads that wait for work when the process exits are normal: they count only if the
     * group waits for a lock or a join, that is, for a known thread. */
    bool circular = false;
    for (uint32_t t = 0; t < e->thread_count && ended; t++)
        circular |= hd_thread_set_has(&stuck, t) && w.whom[t] >= 0;
    if ((ended && !circular) || !hd_thread_set_count(&stuck))
        return false;
    *out = (hd_finding) { .kind = HD_FINDING_DEADLOCK, .entries = { ~0u, ~0u }, .stuck = stuck };
    describe(&w, &stuck, out);
    return true;
}
