/* Deadlocks: threads that are blocked forever, all of them or a group, even if the rest of the program ends normally.
 *
 * A thread is stuck if it is blocked and only stuck threads could unblock it: the holder of its
 * mutex, the thread that it joins, or, for other reasons, any live thread. The set of stuck threads
 * is the greatest fixed point: start from all blocked threads and remove those that a thread
 * outside of the set could unblock. */
#include "check/checks.h"

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
static int waits_for(const hd_execution *e, uint32_t t)
{
    const hd_thread_view *v = &e->threads[t];
    if (v->status == HD_THREAD_WAITING)
        return v->waits_for == HD_WAIT_JOIN ? (int)v->wait_object : ANYBODY;
    bool held = hd_objects[hd_op_class(v->pending.kind)].waits_for == HD_WAITS_HOLDER;
    return held && !(v->pending.flags & HD_OP_SPUN) ? holder_of(e, v->pending.object) : ANYBODY;
}

static bool is_blocked(const hd_thread_view *v)
{
    return v->status == HD_THREAD_WAITING || (v->status == HD_THREAD_AT_OP && !v->enabled);
}

/* Threads from 64 on are not tracked: they never count as stuck. */
static uint64_t bit(uint32_t t)
{
    return t < 64 ? 1ull << t : 0;
}

static uint64_t stuck_threads(const hd_execution *e)
{
    uint64_t stuck = 0, live = 0;
    for (uint32_t t = 0; t < e->thread_count; t++) {
        if (e->threads[t].status != HD_THREAD_DONE && e->threads[t].status != HD_THREAD_UNUSED)
            live |= bit(t);
        if (is_blocked(&e->threads[t]))
            stuck |= bit(t);
    }
    /* Removing a thread can free others, so repeat until nothing changes. */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < e->thread_count; t++) {
            if (!(stuck & bit(t)))
                continue;
            int whom = waits_for(e, t);
            /* An operation that is blocked on a lock without a holder cannot be unblocked by any thread. */
            bool could_go_on = whom == ANYBODY ? (live & ~stuck) != 0
                : whom == NOBODY               ? e->threads[t].status != HD_THREAD_AT_OP
                                               : (live & ~stuck & bit((uint32_t)whom)) != 0;
            if (could_go_on) {
                stuck &= ~bit(t);
                changed = true;
            }
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
    return v->status == HD_THREAD_WAITING ? v->waits_for == HD_WAIT_LOOP : (v->pending.flags & HD_OP_SPUN) != 0;
}

/* The threads on a cycle of the waits-for graph; all stuck threads if no cycle is known. The key is
 * made of these alone: which further threads wait for the cycle depends on the schedule, and does
 * not make it another deadlock. */
static uint64_t core_of(const hd_execution *e, uint64_t stuck)
{
    uint64_t core = 0;
    for (uint32_t t = 0; t < e->thread_count; t++) {
        int at = (int)t;
        for (uint32_t steps = 0; steps < e->thread_count && at >= 0 && (stuck & bit((uint32_t)at)); steps++) {
            at = waits_for(e, (uint32_t)at);
            if (at == (int)t)
                core |= bit(t);
        }
    }
    return core ? core : stuck;
}

static void describe(const hd_execution *e, uint64_t stuck, hd_finding *out)
{
    int threads = __builtin_popcountll(stuck);
    bool all = e->outcome->kind == HD_DEADLOCK;
    uint64_t locations = 0, core = core_of(e, stuck);
    bool spins = false;
    for (uint32_t t = 0; t < e->thread_count; t++)
        if (core & bit(t)) {
            /* A sum, so that the order of thread numbers does not matter. */
            locations += hd_finding_location(location_of(&e->threads[t]));
            spins |= is_in_loop(&e->threads[t]);
            out->thread = t;
        }
    out->key = hd_hash(locations ^ out->kind);
    for (uint32_t t = 0; t < e->thread_count; t++)
        if ((stuck & bit(t)) && waits_for(e, t) == (int)t) {
            out->thread = t;
            snprintf(out->message, sizeof out->message, "self-deadlock: T%u waits for a lock that it holds itself", t);
            return;
        }
    snprintf(out->message, sizeof out->message, "deadlock: %d thread%s blocked forever%s%s", threads,
        threads == 1 ? " is" : "s are", all ? "" : " while others finish", spins ? " (waiting in a loop)" : "");
}

bool hd_check_deadlock(const hd_execution *e, hd_finding *out)
{
    bool ended = hd_outcome_is_exit(e->outcome->kind);
    if (e->outcome->kind != HD_DEADLOCK && !ended)
        return false;
    uint64_t stuck = someone_is_blocked(e) ? stuck_threads(e) : 0;
    /* Worker threads that wait for work when the process exits are normal: they count only if the
     * group waits for a lock or a join, that is, for a known thread. */
    if (ended) {
        bool circular = false;
        for (uint32_t t = 0; t < e->thread_count; t++)
            circular |= (stuck & bit(t)) && waits_for(e, t) >= 0;
        if (!circular)
            return false;
    }
    if (!stuck)
        return false;
    *out = (hd_finding) { .kind = HD_FINDING_DEADLOCK, .entries = { ~0u, ~0u }, .stuck = stuck };
    describe(e, stuck, out);
    return true;
}
