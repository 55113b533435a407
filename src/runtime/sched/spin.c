#include "runtime/sched/spin.h"

#include "abi/fast.h"
#include "runtime/image/owners.h"
#include "runtime/reset/fiber.h"
#include "runtime/sched/access.h"
#include "runtime/sched/compose.h"
#include "runtime/sched/send.h"

#include <errno.h>
#include <string.h>

enum { SILENT_ROUNDS = 64, ROUNDS_ALONE = 3 };

uint32_t hd_spin_armed;

void hd_spin_reset(void)
{
    hd_spin_armed = 0;
}

static void disarm(hd_thread *t)
{
    hd_spin_armed -= t->spin.armed != HD_SPIN_OFF;
    t->spin.armed = HD_SPIN_OFF;
    t->spin.held = t->spin.in_call = t->spin.changed = 0;
}

/* +1 for taking a lock, -1 for releasing it; 0 for a wait that timed out, which does both. */
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

/* A thread that takes locks in its rounds is held back where it holds the fewest, so that it does not block the
 * thread that could end its wait: before it takes a lock, or before its timed wait ends. */
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

static int is_same_object(const hd_op *a, const hd_op *b)
{
    return a->object == b->object && hd_kinds[a->kind].object == hd_kinds[b->kind].object;
}

/* Does `op` change what `look` has looked at? As the explorers' conflict relation says: a futex at the address of the
 * word is another object than the word. */
static int changes(const hd_op *op, const hd_op *look)
{
    return is_same_object(op, look) && !hd_kind_looks(op->kind)
        && (!hd_kind_is_memory(op->kind) || (look->mask & op->mask));
}

static int looks_at(const hd_thread *t, const hd_op *op)
{
    for (uint32_t i = 0; i < t->spin.look_count; i++)
        if (changes(op, &t->spin.looks[i]))
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

/* The count of an object that starts with a value, which every operation on it records: after the last one in the
 * log. */
static uint64_t count_now(const hd_op *look)
{
    for (uint32_t i = *hd_rt.log_count; i-- > 0;) {
        const hd_op *op = &hd_rt.log[i];
        if (op->kind != HD_EDGE && !(op->flags & HD_OP_WITHDRAWN) && is_same_object(op, look))
            return hd_counted((uint32_t)(hd_op_count(op) + hd_kinds[op->kind].adds), 0);
    }
    return 0;
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
        if (hd_objects[hd_kinds[look.kind].object].starts == HD_STARTS_VALUE)
            look.value = count_now(&look);
        hd_continue_step(&look);
    }
    t->view->pending = own;
}

void hd_spin_withdrawn(hd_thread *t)
{
    disarm(t);
}

void hd_spin_give_up(hd_thread *t)
{
    disarm(t);
    t->withdrawn = 1;
}

/* The thread's marks; empty when it begins. */
static hd_spin *marks_of(hd_thread *t)
{
    hd_spin *s = &t->spin;
    if (!s->marked) {
        memset(s->counts, 0, sizeof s->counts);
        memset(s->loops, 0, sizeof s->loops);
        s->marked = 1;
    }
    return s;
}

static void restart(hd_loop_mark *m, const hd_site *site, uint64_t state)
{
    *m = (hd_loop_mark) {
        .loop = site, .state = state, .effects = hd_effects_so_far(), .log_start = *hd_rt.log_count, .error = errno
    };
}

/* Has another thread changed the object of `look`, in the log from `from` to `to`? */
static int changed_between(const hd_op *look, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const hd_op *op = &hd_rt.log[i];
        if (op->thread != look->thread && op->kind != HD_EDGE && changes(op, look))
            return 1;
    }
    return 0;
}

/* Adds a look to those of the round. False: an object has changed between two looks of the same round, so the next
 * round would begin with the later value and need not be like this one; or there are too many looks. */
static int keep_look(hd_thread *t, const hd_op *op, uint32_t at)
{
    uint32_t k = 0;
    while (k < t->spin.look_count && (!is_same_object(&t->spin.looks[k], op) || t->spin.looks[k].mask != op->mask))
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

/* What a thread has done in a round besides looking. */
typedef struct loop_round {
    int balance; /* of locks */
    int waits; /* begun and not ended */
    int locks; /* it has taken locks, or has waited */
    int tired; /* a wait ended spuriously (a wait that a signal ended is not vain) */
    int lasts; /* an effect that remains */
} loop_round;

static void add_to_round(loop_round *r, const hd_op *op)
{
    uint8_t role = hd_kinds[op->kind].role;
    if (lock_balance(op->kind) || role == HD_ROLE_SLEEPS || role == HD_ROLE_TIMES_OUT) {
        r->balance += lock_balance(op->kind);
        r->waits += role == HD_ROLE_SLEEPS;
        r->waits -= role == HD_ROLE_TIMES_OUT;
        r->tired |= role == HD_ROLE_TIMES_OUT && op->choice;
        r->locks = 1;
    } else {
        r->lasts |= !hd_kind_looks(op->kind);
    }
}

static int is_vain(const loop_round *r)
{
    return !r->balance && !r->waits && !r->lasts;
}

static int is_done_by(const hd_thread *t, const hd_op *op)
{
    return op->thread == t->id && op->kind != HD_EDGE && !(op->flags & HD_OP_WITHDRAWN);
}

/* Collects the objects that the thread has looked at since `from` in the log, and says how it can be held back;
 * HD_SPIN_OFF if the round was not vain. */
static hd_spin_mode collect_looks(hd_thread *t, uint32_t from)
{
    loop_round r = { 0 };
    t->spin.look_count = 0;
    for (uint32_t i = from; i < *hd_rt.log_count; i++) {
        const hd_op *op = &hd_rt.log[i];
        if (!is_done_by(t, op))
            continue;
        add_to_round(&r, op);
        if (r.lasts || (hd_kind_looks(op->kind) && !keep_look(t, op, i)))
            return HD_SPIN_OFF;
    }
    if (!is_vain(&r) || !t->spin.look_count)
        return HD_SPIN_OFF;
    return r.tired ? HD_SPIN_TIRED : r.locks ? HD_SPIN_GATE : HD_SPIN_ANY;
}

/* Has another thread changed one of the objects after the thread looked at it? Then the next round may differ, and
 * the thread must not be held back. */
static int has_changed(const hd_thread *t)
{
    for (uint32_t k = 0; k < t->spin.look_count; k++)
        if (changed_between(&t->spin.looks[k], (uint32_t)t->spin.looks[k].value + 1, *hd_rt.log_count))
            return 1;
    return 0;
}

static void arm(hd_thread *t, hd_spin_mode mode)
{
    t->spin.armed = (uint8_t)mode;
    hd_compose_stop();
    hd_spin_armed++;
    t->spin.changed = (uint8_t)has_changed(t);
}

int hd_spin_await(uint32_t from)
{
    if (hd_current->spin.armed)
        disarm(hd_current);
    if (collect_looks(hd_current, from) != HD_SPIN_ANY)
        return 0;
    arm(hd_current, HD_SPIN_ANY);
    hd_current->spin.in_call = 1;
    return 1;
}

/* The state of a thread at the top of a loop, as a hash of its registers and stack. It is computed only for rounds
 * that have changed nothing so far. In a PURE loop no state is carried from round to round, so there is nothing
 * to hash. */
enum { STATE_UNKNOWN = 0, STATE_PURE = 1 };

static uint64_t state_at(hd_thread *t, uint32_t kind, const uint64_t *low)
{
    return kind == HD_LOOP_PURE ? STATE_PURE : hd_fiber_hash(t->stack, low) | 2;
}

static void wait_for_ever(const hd_site *loop, const void *looks_at)
{
    hd_call_site = loop;
    hd_wait_for(HD_WAIT_LOOP, looks_at);
}

/* Rounds without any operation: the loop reads memory that only this thread has touched so far. If the loop ever
 * ends, another thread must write there. So after some rounds the thread's reads make their cells shared
 * (hd_access_reveal), and the next run will see them. */
static void round_in_silence(hd_thread *t, hd_loop_mark *m, uint32_t kind, const uint64_t *low)
{
    if (++m->silent % SILENT_ROUNDS)
        return;
    uint64_t state = state_at(t, kind, low);
    if (state != STATE_PURE && state != m->state) {
        m->state = state;
        return;
    }
    if (m->revealed && hd_access_learned())
        hd_end(HD_LEARNED, m->loop, "a loop waits for memory that is shared");
    if (m->revealed && state == STATE_PURE && !hd_send_may_interrupt())
        wait_for_ever(m->loop, NULL); /* its reads were revealed and there were none: it never ends */
    m->revealed = 1;
    hd_access_reveal();
}

/* A round in which the thread has only looked. If its state at the top is the same as before, the next round would
 * be the same: its operation is held back. */
static void round_in_vain(hd_thread *t, hd_loop_mark *m, hd_spin_mode mode, uint64_t state)
{
    uint32_t rounds = ++m->rounds;
    if (hd_rt.options->settings.spurious && state == m->last_state && state != m->state) {
        /* Two outcomes of a wait that alternate would never match the mark: compare with the round before, too. */
        mode = collect_looks(t, m->last_start);
        m->state = state;
    }
    if (state == m->state && mode == HD_SPIN_TIRED) {
        t->spin.tired = 1;
        restart(m, m->loop, state);
    } else if (state == m->state) {
        arm(t, mode);
        restart(m, m->loop, state);
    } else if (m->state == STATE_UNKNOWN || (rounds & (rounds - 1)) == 0) {
        /* The mark moves after 1, 2, 4, 8, … rounds, so cycles of any length are found in the end (Brent). */
        restart(m, m->loop, state);
        m->rounds = rounds;
    }
    m->last_state = state;
    m->last_start = *hd_rt.log_count;
}

/* All that a single thread has done since `from`. Branches on inputs are left out: they will be the same again. */
static loop_round rounds_since(const hd_thread *t, uint32_t from)
{
    loop_round r = { 0 };
    for (uint32_t i = from; i < *hd_rt.log_count; i++)
        if (is_done_by(t, &hd_rt.log[i]) && hd_rt.log[i].kind != HD_BRANCH)
            add_to_round(&r, &hd_rt.log[i]);
    return r;
}

/* For the report: the last object that the thread looked at, else the variable that the compiler found. */
static const void *looked_at(const hd_thread *t, const hd_loop_mark *m)
{
    for (uint32_t i = *hd_rt.log_count; i-- > m->log_start;) {
        const hd_op *op = &hd_rt.log[i];
        if (is_done_by(t, op) && hd_kind_looks(op->kind))
            return (const char *)hd_op_address(op) + (op->mask ? __builtin_ctz(op->mask) : 0);
    }
    return ((const hd_loop_site *)m->loop)->looks_at;
}

/* A round of a thread that is alone, in a PURE loop. */
static void round_alone(hd_thread *t, hd_loop_mark *m)
{
    loop_round r = rounds_since(t, m->log_start);
    if (!is_vain(&r) || r.tired) {
        t->spin.tired |= r.tired && is_vain(&r);
        restart(m, m->loop, STATE_PURE);
    } else if (++m->rounds >= ROUNDS_ALONE && !hd_send_may_interrupt()) {
        wait_for_ever(m->loop, looked_at(t, m));
    }
}

_Static_assert(
    HD_FAST_BASE == 0x7f000000 && offsetof(hd_fast, waits) == 0 && HD_LOOP_PURE == 1, "what fiber/switch.S knows");

/* The C part of the hook at the top of a loop (reset/switch.S). `first`: the loop is entered. `low`: the lowest
 * address of the thread's state on its stack; switch.S has saved the registers there. */
void hd_loop_round(uint32_t first, uint32_t kind, const hd_site *site, const uint64_t *low)
{
    hd_thread *t = hd_current;
    if (!hd_exploring()) {
        if (!first && hd_fast_state.waits)
            hd_yield_by_hand();
        return;
    }
    hd_compose_forget(); /* each round logs what it looks at */
    if (!hd_owners_judged_are_libcs())
        kind = HD_LOOP_UNKNOWN;
    if (!hd_fast_state.waits && kind != HD_LOOP_PURE)
        return;
    hd_loop_mark *m = &marks_of(t)->loops[((uintptr_t)site >> 4) % HD_SPIN_LOOPS];
    uint64_t start = kind == HD_LOOP_PURE ? STATE_PURE : STATE_UNKNOWN;
    if (t->spin.armed)
        disarm(t);
    if (first || m->loop != site || m->effects != hd_effects_so_far() || m->error != errno) {
        restart(m, site, start);
        return;
    }
    if (!hd_fast_state.waits) {
        round_alone(t, m);
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

/* --- counting loops ------------------------------------------------------------------ */

/* The entry of the thread's next operation, from `i` on; `end` if there is none. */
static uint32_t next_of(const hd_thread *t, uint32_t i, uint32_t end)
{
    while (i < end && !is_done_by(t, &hd_rt.log[i]))
        i++;
    return i;
}

/* Have the two last rounds looked at the same objects in the same order, with no change of an object in between? Then
 * both have taken the same way, and one right after the first of them would have, too. */
static int rounds_are_same(const hd_thread *t, uint32_t first, uint32_t second)
{
    uint32_t end = *hd_rt.log_count, i = next_of(t, first, second), k = next_of(t, second, end);
    while (i < second && k < end) {
        const hd_op *a = &hd_rt.log[i], *b = &hd_rt.log[k];
        if (!hd_kind_looks(a->kind) || a->kind != b->kind || a->object != b->object || a->mask != b->mask
            || changed_between(a, i, k))
            return 0;
        i = next_of(t, i + 1, second);
        k = next_of(t, k + 1, end);
    }
    return i == second && k == end;
}

static void restart_count(hd_count_mark *m, const hd_site *site)
{
    uint32_t now = *hd_rt.log_count;
    *m = (hd_count_mark) {
        .loop = site, .effects = hd_effects_so_far(), .error = errno, .last_start = now, .log_start = now
    };
}

/* Not in hd_loop_round's marks: a counting loop is often inside a loop that waits. */
__attribute__((visibility("default"))) uint32_t hd_loop_counted(uint32_t first, const hd_site *site)
{
    hd_thread *t = hd_current;
    if (!hd_exploring()) {
        if (!first && hd_fast_state.waits)
            hd_yield_by_hand();
        return 0;
    }
    hd_compose_forget();
    hd_count_mark *m = &marks_of(t)->counts[((uintptr_t)site >> 4) % HD_SPIN_LOOPS];
    if (first || m->loop != site || m->effects != hd_effects_so_far() || m->error != errno
        || !hd_owners_judged_are_libcs()) {
        restart_count(m, site);
        return 0;
    }
    if (*hd_rt.log_count == m->log_start)
        return 1; /* without an operation no other thread can have run */
    int same = m->rounds++ && rounds_are_same(t, m->last_start, m->log_start);
    m->last_start = m->log_start;
    m->log_start = *hd_rt.log_count;
    return (uint32_t)same;
}
