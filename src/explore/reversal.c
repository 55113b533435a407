#include "explore/reversal.h"

#include <string.h>

static const hd_item *item_of(const hd_trace *t, uint32_t item)
{
    return &t->items.items[item];
}

static bool in_past(const hd_trace *t, uint32_t earlier, uint32_t before)
{
    return before != HD_NO_ITEM && hd_trace_before(t, earlier, before);
}

/* --- enabledness ------------------------------------------------------------------- */

static bool can_block(uint8_t kind)
{
    return hd_kind_needs(kind) != HD_NEEDS_NOTHING;
}

/* What is counted at the end of the object's accesses so far. */
static int64_t count_all(const hd_trace *t, uint32_t head)
{
    int64_t held = 0;
    for (uint32_t i = head; i != HD_NO_ITEM; i = t->accesses.items[i].before)
        held += hd_kind_adds(t->ops.items[i].kind);
    return held;
}

static uint32_t head_of(const hd_trace *t, const hd_op *op, uint32_t until)
{
    uint32_t object = hd_trace_object(t, op);
    uint32_t head = object == HD_NO_ITEM ? object : t->heads.items[object];
    while (head != HD_NO_ITEM && t->accesses.items[head].item >= until)
        head = t->accesses.items[head].before;
    return head;
}

/* The last access to the object of later's k-th operation that came before it. */
static uint32_t history_of(const hd_trace *t, const hd_reversal_step *later, uint32_t k)
{
    if (later->item != HD_NO_ITEM)
        return t->accesses.items[item_of(t, later->item)->access + k].before;
    return head_of(t, &later->ops[k], later->until);
}

/* A wait in a loop ends when another thread has changed what the loop looks
 * at: does that still hold without `earlier` and what depends on it? */
static bool spin_ends_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier)
{
    for (uint32_t k = 1; k < later->op_count; k++)
        for (uint32_t i = history_of(t, later, k); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
            const hd_op *op = &t->ops.items[i];
            if (t->accesses.items[i].item == later->item)
                continue;
            if (op->thread == later->thread)
                break;
            if (!hd_kind_looks(op->kind) && hd_ops_conflict(op, &later->ops[k])
                && !hd_trace_before(t, earlier, t->accesses.items[i].item))
                return true;
        }
    return false;
}

static bool enabled_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier)
{
    const hd_op *op = &later->ops[0];
    if (later->spun && !spin_ends_without(t, later, earlier))
        return false;
    if (!can_block(op->kind) || (op->flags & HD_OP_TRY))
        return true;
    int64_t held = later->held;
    for (uint32_t i = history_of(t, later, 0); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        uint32_t item = t->accesses.items[i].item;
        if (item < earlier)
            break;
        if (hd_trace_before(t, earlier, item))
            held -= hd_kind_adds(t->ops.items[i].kind);
    }
    return hd_kind_enabled(op->kind, held);
}

/* --- the three kinds of later steps --------------------------------------------------- */

hd_reversal_step hd_reversal_of_step(const hd_trace *t, uint32_t position)
{
    uint32_t index = t->steps.items[position];
    const hd_item *item = item_of(t, index);
    hd_reversal_step s = {
        .thread = item->thread, .item = index, .before = item->before, .until = index, .op_count = item->access_count
    };
    s.ops = &t->ops.items[item->access];
    s.spun = s.ops->flags & HD_OP_SPUN;
    if (s.ops->kind == HD_SEM_WAIT)
        s.held = (int64_t)s.ops->value;
    else if (s.ops->kind == HD_RDLOCK)
        s.held = count_all(t, t->accesses.items[item->access].before);
    return s;
}

hd_reversal_step hd_reversal_of_pending(const hd_trace *t, const hd_op *pending)
{
    hd_reversal_step s = { .thread = pending->thread,
        .item = HD_NO_ITEM,
        .before = t->last[pending->thread],
        .until = (uint32_t)t->items.count,
        .ops = pending,
        .spun = pending->flags & HD_OP_SPUN,
        .op_count = 1 };
    s.held = pending->kind == HD_SEM_WAIT ? (int64_t)pending->value : count_all(t, head_of(t, pending, s.until));
    return s;
}

hd_reversal_step hd_reversal_of_withdrawn(const hd_trace *t, uint32_t item)
{
    const hd_item *w = item_of(t, item);
    return (hd_reversal_step) { .thread = w->thread,
        .item = HD_NO_ITEM,
        .before = w->before,
        .until = item,
        .ops = &t->withdrawn.items[w->access],
        .op_count = 1 };
}

/* --- finding races ---------------------------------------------------------------------- */

typedef struct candidates {
    uint32_t *items;
    uint32_t count;
} candidates;

/* Keeps only the latest of items that happen before each other. */
static void add_candidate(const hd_trace *t, candidates *c, uint32_t item)
{
    uint32_t kept = 0, position = item_of(t, item)->position;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->items[i] == item || (item_of(t, c->items[i])->after > position && hd_trace_before(t, item, c->items[i])))
            return;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->items[i] > item || !hd_trace_before(t, c->items[i], item))
            c->items[kept++] = c->items[i];
    c->items[kept] = item;
    c->count = kept + 1;
}

static void find_on_object(const hd_trace *t, const hd_reversal_step *later, uint32_t k, candidates *c)
{
    const hd_op *op = &later->ops[k];
    bool memory = hd_op_class(op->kind) == HD_OBJECT_MEMORY;
    uint32_t i = hd_trace_history(t, history_of(t, later, k), op->kind);
    for (; i != HD_NO_ITEM; i = hd_trace_history_before(t, i, op->kind)) {
        const hd_op *other = &t->ops.items[i];
        uint32_t item = t->accesses.items[i].item;
        if (memory && !(other->mask & op->mask))
            continue;
        bool covers = hd_kind_is_total(other->kind) && (!memory || (other->mask & op->mask) == op->mask);
        bool past = in_past(t, item, later->before);
        bool found = !past && other->thread != later->thread && hd_kinds_conflict(other->kind, op->kind)
            && enabled_without(t, later, item);
        if (found)
            add_candidate(t, c, item);
        if (covers && (past || found))
            return;
    }
}

/* Exiting conflicts with everything: with the last step of every other thread. */
static void find_for_exit(const hd_trace *t, const hd_reversal_step *later, candidates *c)
{
    bool seen[HD_MAX_THREADS] = { false };
    for (size_t i = t->steps.count; i-- > 0;) {
        uint32_t index = t->steps.items[i];
        const hd_item *item = item_of(t, index);
        if (index >= later->until || item->thread == later->thread || seen[item->thread])
            continue;
        seen[item->thread] = true;
        if (!in_past(t, index, later->before))
            add_candidate(t, c, index);
    }
}

bool hd_reversal_exits(const hd_op *ops, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (ops[i].kind == HD_EXIT)
            return true;
    return false;
}

uint32_t hd_reversal_find(const hd_trace *t, const hd_reversal_step *later, uint32_t *racing)
{
    candidates c = { racing, 0 };
    if (hd_reversal_exits(later->ops, later->op_count))
        find_for_exit(t, later, &c);
    else
        for (uint32_t k = 0; k < later->op_count; k++)
            if (hd_op_class(later->ops[k].kind) != HD_OBJECT_NONE)
                find_on_object(t, later, k, &c);
    return c.count;
}

void hd_reversal_init(hd_reversal_room *room, hd_memory *memory)
{
    hd_sequence_init(&room->sequence, memory);
    room->ops = (typeof(room->ops)) { .memory = memory };
}

void hd_reversal_fini(hd_reversal_room *room)
{
    hd_sequence_fini(&room->sequence);
    hd_vec_fini(&room->ops);
}

/* --- what an operation does elsewhere ---------------------------------------------------------
 *
 * A try, a signal or the like may do something else in its new place. Mostly
 * that can be told from what comes before it there: the history of its object
 * without `earlier` and what depends on it. */

hd_op hd_op_at_its_strongest(hd_op op)
{
    static const uint8_t strongest[HD_OP_KINDS] = {
        [HD_RMW_SAME] = HD_RMW,
        [HD_LOCK_FAIL] = HD_LOCK,
        [HD_RDLOCK_FAIL] = HD_WRLOCK,
        [HD_WRLOCK_FAIL] = HD_WRLOCK,
        [HD_COND_NOBODY] = HD_COND_SIGNAL,
        [HD_SEM_FAIL] = HD_SEM_WAIT,
        [HD_ONCE_DONE] = HD_ONCE_BEGIN,
    };
    if (strongest[op.kind])
        op.kind = strongest[op.kind];
    return op;
}

typedef struct elsewhere {
    int64_t held; /* what the object counts, from nothing */
    int64_t excluded; /* what is no longer counted */
    int64_t waiters; /* on a condition variable */
    bool done; /* of once */
} elsewhere;

static void count_waiter(elsewhere *at, uint8_t kind, bool *settled)
{
    if (*settled)
        return;
    at->waiters += kind == HD_COND_WAIT;
    at->waiters -= kind == HD_COND_SIGNAL || kind == HD_COND_TIMEOUT || kind == HD_COND_CANCEL;
    *settled = kind == HD_COND_BROADCAST; /* nobody was left before */
}

static elsewhere look_elsewhere(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k)
{
    elsewhere at = { 0 };
    bool settled = false;
    for (uint32_t i = history_of(t, later, k); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        uint8_t kind = t->ops.items[i].kind;
        if (hd_trace_before(t, earlier, t->accesses.items[i].item)) {
            at.excluded += hd_kind_adds(kind);
            continue;
        }
        at.held += hd_kind_adds(kind);
        at.done |= kind == HD_ONCE_END;
        count_waiter(&at, kind, &settled);
    }
    return at;
}

static uint8_t kind_elsewhere(const hd_op *op, const elsewhere *at)
{
    bool tries = op->flags & HD_OP_TRY;
    switch (op->kind) {
    case HD_COND_SIGNAL:
    case HD_COND_BROADCAST:
    case HD_COND_NOBODY:
        return at->waiters <= 0 ? HD_COND_NOBODY : op->value == HD_WAKES_ALL ? HD_COND_BROADCAST : HD_COND_SIGNAL;
    case HD_LOCK:
    case HD_LOCK_FAIL:
        return tries && at->held > 0 ? HD_LOCK_FAIL : HD_LOCK;
    case HD_WRLOCK:
    case HD_WRLOCK_FAIL:
        return tries && at->held > 0 ? HD_WRLOCK_FAIL : HD_WRLOCK;
    case HD_RDLOCK:
    case HD_RDLOCK_FAIL:
        return tries && at->held >= 1 << 16 ? HD_RDLOCK_FAIL : HD_RDLOCK;
    case HD_SEM_WAIT:
    case HD_SEM_FAIL:
        return tries && (int64_t)op->value - at->excluded <= 0 ? HD_SEM_FAIL : HD_SEM_WAIT;
    case HD_ONCE_DONE:
        return at->done ? HD_ONCE_DONE : HD_ONCE_BEGIN;
    default:
        return hd_op_at_its_strongest(*op).kind;
    }
}

static uint32_t outcomes_elsewhere(const hd_op *op, const elsewhere *at)
{
    if (op->kind == HD_COND_SIGNAL)
        return (uint32_t)at->waiters;
    return op->kind == HD_CHOOSE && op->choices ? op->choices : 1;
}

/* Did the operation see something that `earlier`, or what depends on it, did?
 * Writing without looking sees nothing. */
static bool sees(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k)
{
    const hd_op *op = &later->ops[k];
    if (op->kind == HD_WRITE || op->kind == HD_STORE)
        return false;
    for (uint32_t i = history_of(t, later, k); i != HD_NO_ITEM; i = t->accesses.items[i].before)
        if (!hd_kind_looks(t->ops.items[i].kind) && hd_ops_conflict(&t->ops.items[i], op)
            && hd_trace_before(t, earlier, t->accesses.items[i].item))
            return true;
    return false;
}

static bool is_atomic(const hd_op *op)
{
    return op->kind >= HD_LOAD && op->kind <= HD_RMW_SAME;
}

/* What the step found in the operation's bytes; false: it did not look at all of them. */
static bool found_by(const hd_trace *t, uint32_t item, const hd_op *op, uint64_t *bytes)
{
    const hd_item *step = item_of(t, item);
    for (uint32_t i = step->access; i < step->access + step->access_count; i++) {
        const hd_op *other = &t->ops.items[i];
        if (hd_op_class(other->kind) != HD_OBJECT_MEMORY || other->object != op->object)
            continue;
        uint32_t first = (uint32_t)__builtin_ctz(op->mask);
        uint64_t size = 8 * (uint64_t)__builtin_popcount(op->mask), all = size == 64 ? ~0ull : (1ull << size) - 1;
        *bytes = other->value >> 8 * first & all;
        return is_atomic(other) && (other->mask & op->mask) == op->mask;
    }
    return false;
}

static int64_t as_signed(uint64_t bytes, const hd_op *op)
{
    uint32_t shift = 64 - 8 * (uint32_t)__builtin_popcount(op->mask);
    return (int64_t)(bytes << shift) >> shift;
}

/* Does an atomic update change its bytes if they are as given? */
static bool changes(const hd_op *op, uint64_t bytes, uint64_t operand)
{
    switch ((hd_update_test)(op->flags >> HD_OP_TEST_SHIFT)) {
    case HD_CHANGES_IF_EQUAL:
        return bytes == operand;
    case HD_CHANGES_UNLESS_EQUAL:
        return bytes != operand;
    case HD_CHANGES_IF_ANY:
        return bytes & operand;
    case HD_CHANGES_UNLESS_ALL:
        return ~bytes & operand;
    case HD_CHANGES_IF_BELOW:
        return bytes < operand;
    case HD_CHANGES_IF_ABOVE:
        return bytes > operand;
    case HD_CHANGES_IF_LESS:
        return as_signed(bytes, op) < as_signed(operand, op);
    case HD_CHANGES_IF_MORE:
        return as_signed(bytes, op) > as_signed(operand, op);
    default:
        return true;
    }
}

/* An atomic update of bytes that `earlier` had something to do with finds there
 * what that one found: whatever wrote to them in between depends on `earlier`. */
static bool move_update(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op)
{
    uint64_t bytes;
    op->kind = HD_RMW;
    bool known = later->item != HD_NO_ITEM && k == 0 && op->flags >> HD_OP_TEST_SHIFT;
    if (!known || !found_by(t, earlier, op, &bytes))
        return false;
    uint64_t operand = t->operands.items[item_of(t, later->item)->access];
    op->kind = changes(op, bytes, operand) ? HD_RMW : HD_RMW_SAME;
    return true;
}

static bool polls_in_wait(const hd_op *op)
{
    return op->kind == HD_COND_POLL || op->kind == HD_COND_CANCEL;
}

/* Looking for a cancellation while waiting finds what was sent without `earlier`. */
static uint8_t poll_elsewhere(const hd_trace *t, uint32_t earlier, const hd_op *op)
{
    hd_op sending = { .kind = HD_THREAD_SEND, .object = op->thread };
    uint32_t i = op->value == HD_CANCELS ? head_of(t, &sending, (uint32_t)t->items.count) : (uint32_t)HD_NO_ITEM;
    for (; i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        const hd_op *other = &t->ops.items[i];
        if (other->kind == HD_THREAD_SEND && other->value == HD_CANCELS
            && !hd_trace_before(t, earlier, t->accesses.items[i].item))
            return HD_COND_CANCEL;
    }
    return HD_COND_POLL;
}

static bool depends_on_state(const hd_op *op)
{
    return hd_op_class(op->kind) == HD_OBJECT_CONDITION || (op->flags & HD_OP_TRY)
        || hd_op_at_its_strongest(*op).kind != op->kind;
}

/* Moves the k-th operation of `later` before `earlier`; false: what it does
 * there is not known exactly. */
static bool move_op(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op)
{
    bool update = op->kind == HD_RMW || op->kind == HD_RMW_SAME;
    if (later->spun && k > 0)
        return true; /* it looks, anywhere */
    if (update) {
        if ((op->flags & HD_OP_FIXED) || !sees(t, earlier, later, k))
            return true;
        return move_update(t, earlier, later, k, op);
    }
    if (polls_in_wait(op))
        op->kind = poll_elsewhere(t, earlier, op);
    if (polls_in_wait(op) || !depends_on_state(op))
        return true;
    elsewhere at = look_elsewhere(t, earlier, later, k);
    op->kind = kind_elsewhere(op, &at);
    op->choices = (uint8_t)outcomes_elsewhere(op, &at);
    return true;
}

/* What an atomic block does after something that is different there is unknown. */
static bool is_unknown(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later)
{
    if (!(later->ops->flags & HD_OP_ATOMIC) || later->spun || polls_in_wait(later->ops))
        return false;
    bool unknown = later->item == HD_NO_ITEM;
    for (uint32_t k = 0; k < later->op_count && !unknown; k++)
        unknown = sees(t, earlier, later, k);
    return unknown;
}

/* What else a step does whose first operation was never done. */
static void add_rest(const hd_op *op, hd_reversal_room *room)
{
    hd_op also = *op;
    if (op->kind == HD_COND_WAIT) {
        also.kind = HD_UNLOCK;
        also.object = op->value;
        hd_vec_push(&room->ops, also);
    } else if (polls_in_wait(op)) {
        also.kind = HD_THREAD_POLL;
        also.object = op->thread;
        hd_vec_push(&room->ops, also);
    }
}

/* Plain accesses, loads and stores. */
static bool is_the_same_anywhere(const hd_op *op)
{
    return (op->kind == HD_READ || op->kind == HD_WRITE || op->kind == HD_LOAD || op->kind == HD_STORE)
        && !(op->flags & HD_OP_ATOMIC);
}

/* The operations of `later` as they are before `earlier`; gives how many
 * outcomes it has there. */
static uint32_t move(
    const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, hd_sequence_last *last, hd_reversal_room *room)
{
    if (later->op_count == 1 && is_the_same_anywhere(later->ops)) {
        last->ops = later->ops;
        last->op_count = 1;
        return 1;
    }
    hd_vec_clear(&room->ops);
    for (uint32_t k = 0; k < later->op_count; k++) {
        hd_vec_push(&room->ops, later->ops[k]);
        last->inexact |= !move_op(t, earlier, later, k, hd_vec_last(&room->ops));
    }
    if (later->item == HD_NO_ITEM)
        add_rest(later->ops, room);
    if (is_unknown(t, earlier, later)) {
        room->ops.items[0].kind = HD_EXIT; /* conflicts with everything */
        last->inexact = true;
    }
    last->ops = room->ops.items;
    last->op_count = (uint32_t)room->ops.count;
    return room->ops.items[0].choices > 1 ? room->ops.items[0].choices : 1;
}

uint32_t hd_reversal_sequence(
    const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, hd_reversal_room *room)
{
    hd_sequence_last last = { .thread = later->thread,
        .position = later->item == HD_NO_ITEM ? 0 : item_of(t, later->item)->position,
        .before = later->before };
    hd_sequence_begin(&room->sequence, t, earlier);
    uint32_t outcomes = move(t, earlier, later, &last, room);
    hd_sequence_end(&room->sequence, last);
    return outcomes;
}
