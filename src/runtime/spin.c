#include "runtime/spin.h"

#include "abi/fast.h"
#include "runtime/fiber/fiber.h"

#include <string.h>

static uint32_t armed_threads;

void hd_spin_reset(void)
{
    armed_threads = 0;
}

void hd_spin_publish(hd_thread *t)
{
    if (!t->spin.armed)
        return;
    armed_threads++;
    t->view->pending.flags |= HD_OP_SPUN | HD_OP_ATOMIC;
}

static int looks_at(const hd_thread *t, const hd_op *op)
{
    for (uint32_t i = 0; i < t->spin.look_count; i++)
        if (t->looks[i].object == op->object && (!op->mask || (t->looks[i].mask & op->mask)))
            return 1;
    return 0;
}

void hd_spin_note(const hd_op *op)
{
    if (!armed_threads || hd_kind_looks(op->kind))
        return;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_threads[i].spin.armed && i != op->thread && looks_at(&hd_threads[i], op))
            hd_threads[i].spin.changed = 1;
}

void hd_spin_performed(hd_thread *t)
{
    hd_spin *s = &t->spin;
    if (!s->armed)
        return;
    s->armed = s->changed = 0;
    armed_threads--;
    hd_op own = t->view->pending;
    for (uint32_t i = 0; i < s->look_count; i++)
        if (t->looks[i].object != own.object)
            hd_continue_step(&t->looks[i]);
    t->view->pending = own;
}

static void restart(hd_loop_mark *m, const hd_site *site, uint64_t state)
{
    *m = (hd_loop_mark) { .loop = site, .state = state, .writes = hd_fast_state.writes, .log_start = *hd_rt.log_count };
}

/* Collects what the thread has looked at since `from`; 0 if it has done
 * anything else, nothing, or too much. */
static int collect_looks(hd_thread *t, uint32_t from)
{
    hd_spin *s = &t->spin;
    s->look_count = 0;
    for (uint32_t i = from; i < *hd_rt.log_count; i++) {
        const hd_op *op = &hd_rt.log[i];
        if (op->thread != t->id)
            continue;
        if (!hd_kind_looks(op->kind))
            return 0;
        uint32_t k = 0;
        while (k < s->look_count && (t->looks[k].object != op->object || t->looks[k].mask != op->mask))
            k++;
        if (k == HD_SPIN_READS)
            return 0;
        t->looks[k] = *op;
        t->looks[k].value = i; /* where in the log it was looked at last */
        if (k == s->look_count)
            s->look_count++;
    }
    return s->look_count > 0;
}

/* Has another thread changed one of them since? */
static int has_changed(const hd_thread *t, uint32_t from)
{
    for (uint32_t i = from; i < *hd_rt.log_count; i++) {
        const hd_op *op = &hd_rt.log[i];
        if (op->thread == t->id || op->kind == HD_EDGE || hd_kind_looks(op->kind))
            continue;
        for (uint32_t k = 0; k < t->spin.look_count; k++) {
            const hd_op *look = &t->looks[k];
            if (look->object == op->object && (!op->mask || (look->mask & op->mask)) && i > look->value)
                return 1;
        }
    }
    return 0;
}

/* The C part of the loop hook; `low` is the place of the user's live state. */
void hd_loop_round(uint32_t first, uint32_t kind, const hd_site *site, const uint64_t *low)
{
    hd_thread *t = hd_current;
    if (!hd_exploring()) {
        if (!first)
            hd_yield_by_hand();
        return;
    }
    hd_loop_mark *m = &t->spin.loops[((uintptr_t)site >> 4) % HD_SPIN_LOOPS];
    if (first || m->loop != site || m->writes != hd_fast_state.writes || !collect_looks(t, m->log_start)) {
        restart(m, site, kind == HD_LOOP_PURE ? 0 : hd_fiber_hash(t->id, low));
        return;
    }
    uint64_t state = kind == HD_LOOP_PURE ? 0 : hd_fiber_hash(t->id, low);
    if (state == m->state) {
        t->spin.armed = 1;
        t->spin.changed = (uint8_t)has_changed(t, m->log_start);
        restart(m, site, state);
        return;
    }
    uint32_t rounds = ++m->rounds;
    if ((rounds & (rounds - 1)) == 0) {
        /* Longer cycles are found by comparing with ever later rounds. */
        restart(m, site, state);
        m->rounds = rounds;
    }
}
