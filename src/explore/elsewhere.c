#include "explore/elsewhere.h"

/* What the operation might conflict with when it is done in another place: a
 * failed try might succeed there. */
static hd_op at_its_strongest(hd_op op)
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
    for (uint32_t i = hd_reversal_history(t, later, k); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
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
        return at_its_strongest(*op).kind;
    }
}

static uint32_t outcomes_elsewhere(const hd_op *op, const elsewhere *at)
{
    if (op->kind == HD_COND_SIGNAL)
        return (uint32_t)at->waiters;
    return op->kind != HD_COND_NOBODY && op->choices ? op->choices : 1;
}

/* Did the step itself write all that its operation finds? */
static bool is_its_own(const hd_trace *t, uint32_t access, const hd_reversal_step *later, const hd_op *op)
{
    const hd_op *own = &t->ops.items[access];
    return t->accesses.items[access].item == later->item && own->kind == HD_WRITE && !(op->mask & ~own->mask);
}

/* Did the operation see something that `earlier`, or what depends on it, did?
 * Writing without looking sees nothing. */
static bool sees(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k)
{
    const hd_op *op = &later->ops[k];
    if (op->kind == HD_WRITE || op->kind == HD_STORE)
        return false;
    for (uint32_t i = hd_reversal_history(t, later, k); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        uint32_t item = t->accesses.items[i].item;
        if (is_its_own(t, i, later, op))
            return false;
        if (item != later->item && !hd_kind_looks(t->ops.items[i].kind) && hd_ops_conflict(&t->ops.items[i], op)
            && hd_trace_before(t, earlier, item))
            return true;
    }
    return false;
}

static bool is_atomic(const hd_op *op)
{
    return op->kind >= HD_LOAD && op->kind <= HD_RMW_SAME;
}

/* What the step found in the operation's bytes; false: it did not look at all of them, or
 * with other inputs it may find something else. */
static bool found_by(const hd_trace *t, uint32_t item, const hd_op *op, uint64_t *bytes)
{
    const hd_item *step = &t->items.items[item];
    for (uint32_t i = step->access; i < step->access + step->access_count; i++) {
        const hd_op *other = &t->ops.items[i];
        if (hd_op_class(other->kind) != HD_OBJECT_MEMORY || other->object != op->object)
            continue;
        uint32_t first = (uint32_t)__builtin_ctz(op->mask);
        uint64_t size = 8 * (uint64_t)__builtin_popcount(op->mask), all = size == 64 ? ~0ull : (1ull << size) - 1;
        *bytes = other->value >> 8 * first & all;
        return is_atomic(other) && (other->mask & op->mask) == op->mask && !(other->flags & HD_OP_FROM_INPUTS);
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
    uint64_t operand = t->operands.items[t->items.items[later->item].access];
    op->kind = changes(op, bytes, operand) ? HD_RMW : HD_RMW_SAME;
    return true;
}

bool hd_elsewhere_polls(const hd_op *op)
{
    return op->kind == HD_COND_POLL || op->kind == HD_COND_CANCEL;
}

/* Looking for a cancellation while waiting finds what was sent without `earlier`. */
static uint8_t poll_elsewhere(const hd_trace *t, uint32_t earlier, const hd_op *op)
{
    hd_op sending = { .kind = HD_THREAD_SEND, .object = op->thread };
    uint32_t i =
        op->value == HD_CANCELS ? hd_reversal_head(t, &sending, (uint32_t)t->items.count) : (uint32_t)HD_NO_ITEM;
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
        || at_its_strongest(*op).kind != op->kind;
}

bool hd_elsewhere_move(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op)
{
    bool update = op->kind == HD_RMW || op->kind == HD_RMW_SAME;
    if (later->spun && k > 0)
        return true; /* it looks, anywhere */
    if (update) {
        if ((op->flags & HD_OP_FIXED) || !sees(t, earlier, later, k))
            return true;
        return move_update(t, earlier, later, k, op);
    }
    if (hd_elsewhere_polls(op))
        op->kind = poll_elsewhere(t, earlier, op);
    if (hd_elsewhere_polls(op) || !depends_on_state(op))
        return true;
    elsewhere at = look_elsewhere(t, earlier, later, k);
    op->kind = kind_elsewhere(op, &at);
    op->choices = (uint8_t)outcomes_elsewhere(op, &at);
    return true;
}

bool hd_elsewhere_sees(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later)
{
    for (uint32_t k = 0; k < later->op_count; k++)
        if (sees(t, earlier, later, k))
            return true;
    return false;
}

bool hd_elsewhere_is_unknown(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later)
{
    if (!(later->ops->flags & HD_OP_ATOMIC) || later->spun || hd_elsewhere_polls(later->ops))
        return false;
    return later->item == HD_NO_ITEM || hd_elsewhere_sees(t, earlier, later);
}
