#include "runtime/spin.h"

#include "abi/fast.h"
#include "runtime/access.h"
#include "runtime/fiber/fiber.h"

#include <string.h>

enum { SILENT_ROUNDS = 64 };

uint32_t hd_spin_armed;

void hd_spin_reset(void)
{
    hd_spin_armed = 0;
}

static void disarm(hd_thread *t)
{
    hd_spin_armed -= t->spin.armed != HD_SPIN_OFF;
    t->spin.armed = HD_SPIN_OFF;
    t->spin.held = t->spin.changed = 0;
}

/* +1 for taking a lock, -1 for giving it back; a wait that timed out does both. */
static int lock_balance(uint8_t kind)
{
    switch (hd_kinds[kind].role) {
    case HD_ROLE_TAKES:
    case HD_ROLE_SHARES:
        return 1;
    case HD_ROLE_GIVES:
    case HD_ROLE_UNSHARES:
        return -1;
    default:
        return 0;
    }
}

/* While it goes round with locks, a thread is held back where it holds the
 * fewest: before it takes one, or before its wait ends. */
static int is_gate(uint8_t kind)
{
    return lock_balance(kind) > 0 || hd_kinds[kind].role == HD_ROLE_TIMES_OUT;
}

void hd_spin_publish(hd_thread *t)
{
    hd_op *op = &t->view->pending;
    if (t->spin.armed == HD_SPIN_ANY || (t->spin.armed == HD_SPIN_GATE && is_gate(op->kind))) {
        t->spin.held = 1;
        op->flags |= HD_OP_SPUN | HD_OP_ATOMIC;
        t->view->look_count = t->spin.look_count;
    }
}

static int looks_at(const hd_thread *t, const hd_op *op)
{
    for (uint32_t i = 0; i < t->spin.look_count; i++)
        if (t->spin.looks[i].object == op->object && (!op->mask || (t->spin.looks[i].mask & op->mask)))
            return 1;
    return 0;
}

void hd_spin_tell(const hd_op *op)
{
    if (hd_kind_looks(op->kind))
        return;
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++)
        if (hd_threads[i].spin.armed && i != op->thread && looks_at(&hd_threads[i], op))
            hd_threads[i].spin.changed = 1;
}

void hd_spin_performed(hd_thread *t)
{
    if (!t->spin.held)
        return;
    disarm(t);
    hd_op own = t->view->pending;
    for (uint32_t i = 0; i < t->spin.look_count; i++) {
        hd_op look = t->spin.looks[i];
        look.flags |= HD_OP_LOOK;
        hd_continue_step(&look);
    }
    t->view->pending = own;
}

void hd_spin_withdrawn(hd_thread *t)
{
    disarm(t);
}

static void restart(hd_loop_mark *m, const hd_site *site, uint64_t state)
{
    *m = (hd_loop_mark) { .loop = site, .state = state, .effects = hd_effects_so_far(), .log_start = *hd_rt.log_count };
}

/* Has another thread changed what `look` sees, in the log from `from` to `to`? */
static int changed_between(const hd_op *look, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const hd_op *op = &hd_rt.log[i];
        if (op->thread != look->thread && op->kind != HD_EDGE && !hd_kind_looks(op->kind) && op->object == look->object
            && (!op->mask || (look->mask & op->mask)))
            return 1;
    }
    return 0;
}

/* False: the next round would not be like this one, because it begins with what
 * this one has seen only later. */
static int keep_look(hd_thread *t, const hd_op *op, uint32_t at)
{
    uint32_t k = 0;
    while (k < t->spin.look_count && (t->spin.looks[k].object != op->object || t->spin.looks[k].mask != op->mask))
        k++;
    if (k == HD_MOST_LOOKS)
        return 0;
    if (k < t->spin.look_count && changed_between(op, (uint32_t)t->spin.looks[k].value, at))
        return 0;
    t->spin.looks[k] = *op;
    t->spin.looks[k].value = at; /* where in the log it was looked at last */
    if (k == t->spin.look_count)
        t->spin.look_count++;
    return 1;
}

/* Collects what the thread has looked at since `from`, and says how it can be
 * held back; HD_SPIN_OFF if it has done anything that lasts. */
static hd_spin_mode collect_looks(hd_thread *t, uint32_t from)
{
    int balance = 0, waits = 0, locks = 0, tired = 0; /* a wait that a signal ended is no vain one */
    t->spin.look_count = 0;
    for (uint32_t i = from; i < *hd_rt.log_count; i++) {
        const hd_op *op = &hd_rt.log[i];
        if (op->thread != t->id || op->kind == HD_EDGE || (op->flags & HD_OP_WITHDRAWN))
            continue;
        uint8_t role = hd_kinds[op->kind].role;
        if (hd_kind_looks(op->kind)) {
            if (!keep_look(t, op, i))
                return HD_SPIN_OFF;
        } else if (lock_balance(op->kind) || role == HD_ROLE_SLEEPS || role == HD_ROLE_TIMES_OUT) {
            balance += lock_balance(op->kind);
            waits += role == HD_ROLE_SLEEPS;
            waits -= role == HD_ROLE_TIMES_OUT;
            tired |= role == HD_ROLE_TIMES_OUT && op->choice;
            locks = 1;
        } else {
            return HD_SPIN_OFF;
        }
    }
    if (balance || waits || !t->spin.look_count)
        return HD_SPIN_OFF;
    return tired ? HD_SPIN_TIRED : locks ? HD_SPIN_GATE : HD_SPIN_ANY;
}

/* Has another thread changed one of them since? */
static int has_changed(const hd_thread *t)
{
    for (uint32_t k = 0; k < t->spin.look_count; k++)
        if (changed_between(&t->spin.looks[k], (uint32_t)t->spin.looks[k].value + 1, *hd_rt.log_count))
            return 1;
    return 0;
}

/* What a thread holds at the top of a loop. Hashing costs, so most rounds are
 * compared with nothing: only one that could be vain is. */
enum { STATE_UNKNOWN = 0, STATE_PURE = 1 };

static uint64_t state_at(hd_thread *t, uint32_t kind, const uint64_t *low)
{
    return kind == HD_LOOP_PURE ? STATE_PURE : hd_fiber_hash(t->id, low) | 2;
}

/* A thread that goes round and round without any operation reads memory that
 * only it has touched so far: somebody must share it, or it will never end. */
static void round_in_silence(hd_thread *t, hd_loop_mark *m, uint32_t kind, const uint64_t *low)
{
    if (++m->silent % SILENT_ROUNDS)
        return;
    uint64_t state = state_at(t, kind, low);
    if (state != STATE_PURE && state != m->state) {
        m->state = state;
        return;
    }
    if (t->spin.revealing && hd_access_learned())
        hd_end(HD_LEARNED, m->loop, "a loop waits for memory that is shared");
    t->spin.revealing = 1;
    hd_access_reveal();
}

/* A round in which the thread has only looked: the next is held back if it
 * will be the same. */
static void round_in_vain(hd_thread *t, hd_loop_mark *m, hd_spin_mode mode, uint64_t state)
{
    uint32_t rounds = ++m->rounds;
    if (hd_rt.options->spurious && state == m->last_state && state != m->state) {
        /* Ends of waits that alternate could avoid the mark for ever. */
        mode = collect_looks(t, m->last_start);
        m->state = state;
    }
    if (state == m->state && mode == HD_SPIN_TIRED) {
        t->spin.tired = 1;
        restart(m, m->loop, state);
    } else if (state == m->state) {
        t->spin.armed = (uint8_t)mode;
        hd_spin_armed++;
        t->spin.changed = (uint8_t)has_changed(t);
        restart(m, m->loop, state);
    } else if (m->state == STATE_UNKNOWN || (rounds & (rounds - 1)) == 0) {
        /* Longer cycles are found by comparing with ever later rounds. */
        restart(m, m->loop, state);
        m->rounds = rounds;
    }
    m->last_state = state;
    m->last_start = *hd_rt.log_count;
}

_Static_assert(HD_FAST_BASE == 0x7f000000 && offsetof(hd_fast, waits) == 0, "where fiber/switch.S looks");

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
    uint64_t start = kind == HD_LOOP_PURE ? STATE_PURE : STATE_UNKNOWN;
    if (t->spin.armed)
        disarm(t);
    if (first || m->loop != site || m->effects != hd_effects_so_far()) {
        restart(m, site, start);
        return;
    }
    if (*hd_rt.log_count == m->log_start) {
        round_in_silence(t, m, kind, low);
        return;
    }
    hd_spin_mode mode = collect_looks(t, m->log_start);
    if (mode == HD_SPIN_OFF)
        restart(m, site, start);
    else
        round_in_vain(t, m, mode, state_at(t, kind, low));
}
