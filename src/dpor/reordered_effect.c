#include "dpor/reordered_effect.h"

#include "event/mail.h"

/* The state of the object at the new position. */
typedef struct state {
    int64_t held; /* its count, if it starts from 0 */
    int64_t excluded; /* the part of the count that `earlier` and its dependents added */
    int64_t waiters; /* on a condition variable */
    uint32_t messages; /* in a mailbox, that the operation can take */
    bool done; /* of a once object */
} state;

/* Called from the latest operation back. Before a broadcast there are no waiters left, so older operations do not
 * matter. */
static void count_waiter(state *at, uint8_t role, bool *settled)
{
    if (*settled)
        return;
    at->waiters += role == HD_ROLE_SLEEPS;
    at->waiters -= role == HD_ROLE_WAKES_ONE || role == HD_ROLE_TIMES_OUT || role == HD_ROLE_GIVES_UP;
    *settled = role == HD_ROLE_WAKES_ALL;
}

/* Finds which of the messages are behind others, if delivery is causal. What happens after a message in the trace does
 * so at the new position, too: it is there with its past. */
static void order_causally(const hd_trace *t, uint32_t last, uint64_t request, hd_mail_list *m)
{
    for (uint32_t k = 0; k < m->count; k++) {
        hd_mail_after after = { .token = hd_mail_token(m->labels[k]) };
        if (!hd_mail_matches(request, m->labels[k]))
            continue;
        for (uint32_t i = 0, e = 0; i <= last; i++) {
            for (; e < t->edges.count && t->edges.items[e].accesses <= i; e++)
                hd_mail_follow(&after,
                    &(hd_op) { .kind = HD_EDGE,
                        .thread = (uint16_t)t->edges.items[e].to,
                        .object = t->items.items[t->edges.items[e].from].thread });
            hd_mail_follow(&after, &t->ops.items[i]);
        }
        hd_mail_put_behind(m, &after);
    }
}

/* The messages that the operation can take: those that were sent without `earlier` and its dependents, and that no
 * receive without them has taken. All receives of a mailbox are ordered, so what one of them took is in its past. */
static uint32_t messages_before(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k)
{
    const hd_op *op = &later->ops[k];
    uint32_t last = hd_reversal_history(t, later, k);
    hd_mail_list kept = { 0 };
    for (uint32_t i = 0; last != HD_NO_ITEM && i <= last; i++) {
        const hd_op *other = &t->ops.items[i];
        if (hd_op_key(other) == hd_op_key(op) && !hd_reversal_drops(t, earlier, later, t->accesses.items[i].item))
            hd_mail_perform(&kept, other);
    }
    hd_mail_order(&kept, op->value);
    if (hd_mail_scheme(op->value) == HD_SCHEME_CAUSAL)
        order_causally(t, last, op->value, &kept);
    return hd_mail_outcomes(op->value, &kept);
}

static state state_before(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k)
{
    state at = { 0 };
    bool settled = false;
    for (uint32_t i = hd_reversal_latest(t, later, k); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        const hd_kind_facts *other = &hd_kinds[t->ops.items[i].kind];
        bool dropped = hd_reversal_drops(t, earlier, later, t->accesses.items[i].item);
        if (hd_reversal_is_behind(t, later, k, i)) { /* a post that it passes, or what depends on it */
            at.excluded -= dropped ? 0 : other->adds;
            continue;
        }
        if (dropped) {
            at.excluded += other->adds;
            continue;
        }
        at.held += other->adds;
        at.done |= other->role == HD_ROLE_ENDS;
        count_waiter(&at, other->role, &settled);
    }
    if (hd_kinds[later->ops[k].kind].decided == HD_DECIDED_MESSAGES)
        at.messages = messages_before(t, earlier, later, k);
    return at;
}

/* Does the operation have its strongest effect there? */
static bool changes_there(const hd_op *op, uint8_t strongest, const state *at)
{
    bool from_value = hd_objects[hd_op_class(op->kind)].starts == HD_STARTS_VALUE;
    switch (hd_kinds[op->kind].decided) {
    case HD_DECIDED_COUNT:
        return !(op->flags & HD_OP_TRY)
            || hd_need_is_met(hd_kinds[strongest].need, from_value ? hd_op_count(op) - at->excluded : at->held);
    case HD_DECIDED_MESSAGES:
        return !(op->flags & HD_OP_TRY) || at->messages > 0;
    case HD_DECIDED_WAITERS:
        return at->waiters > 0;
    case HD_DECIDED_DONE: /* a call that ran the function here would run it at an earlier position, too */
        return op->kind == strongest || !at->done;
    default:
        return true;
    }
}

static uint8_t kind_in(const hd_op *op, const state *at)
{
    uint8_t strongest = hd_kind_strongest(op->kind);
    return changes_there(op, strongest, at) ? strongest : hd_kinds[strongest].otherwise;
}

static uint32_t outcomes_in(const hd_op *op, const state *at)
{
    if (hd_kinds[op->kind].outcomes == HD_OUTCOMES_WAITERS)
        return (uint32_t)at->waiters;
    if (hd_kinds[op->kind].decided == HD_DECIDED_MESSAGES)
        return at->messages;
    return hd_kinds[op->kind].decided != HD_DECIDED_WAITERS && op->choices ? op->choices : 1;
}

/* Did the step itself write all bytes that its operation reads? */
static bool is_its_own(const hd_trace *t, uint32_t access, const hd_reversal_step *later, const hd_op *op)
{
    const hd_op *own = &t->ops.items[access];
    return t->accesses.items[access].item == later->item && hd_kinds[own->kind].effect == HD_EFFECT_WRITES
        && !(op->mask & ~own->mask);
}

/* Did the operation see an effect of `earlier` or of one of its dependents? A plain write sees nothing. */
static bool sees(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k)
{
    const hd_op *op = &later->ops[k];
    if (hd_kinds[op->kind].effect == HD_EFFECT_WRITES)
        return false;
    uint32_t i = hd_trace_history(t, hd_reversal_history(t, later, k), op);
    for (; i != HD_NO_ITEM; i = hd_trace_history_before(t, i, op)) {
        uint32_t item = t->accesses.items[i].item;
        if (is_its_own(t, i, later, op))
            return false;
        if (item != later->item && !hd_kind_looks(t->ops.items[i].kind) && hd_ops_conflict(&t->ops.items[i], op)
            && hd_reversal_drops(t, earlier, later, item))
            return true;
    }
    return false;
}

/* The value that the step found in the operation's bytes; false: it did not access all of them, or the value depends on
 * inputs. */
static bool found_by(const hd_trace *t, uint32_t item, const hd_op *op, uint64_t *bytes)
{
    const hd_item *step = &t->items.items[item];
    for (uint32_t i = step->access; i < step->access + step->access_count; i++) {
        const hd_op *other = &t->ops.items[i];
        if (!hd_kind_is_memory(other->kind) || other->object != op->object)
            continue;
        uint32_t first = (uint32_t)__builtin_ctz(op->mask);
        uint64_t size = 8 * (uint64_t)__builtin_popcount(op->mask), all = size == 64 ? ~0ull : (1ull << size) - 1;
        *bytes = other->value >> 8 * first & all;
        return !hd_kind_is_plain(other->kind) && (other->mask & op->mask) == op->mask
            && !(other->flags & HD_OP_FROM_INPUTS);
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
    switch (hd_op_test(op)) {
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

/* An atomic update of bytes that `earlier` accessed finds there what `earlier` found: every write to them in between
 * conflicts with `earlier`, hence depends on it, and is not in the sequence. */
static bool move_update(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op)
{
    uint64_t bytes;
    op->kind = hd_kind_strongest(op->kind);
    bool known = later->item != HD_NO_ITEM && k == 0 && hd_op_test(op);
    if (!known || !found_by(t, earlier, op, &bytes))
        return false;
    uint64_t operand = t->operands.items[t->items.items[later->item].access];
    if (!changes(op, bytes, operand))
        op->kind = hd_kinds[op->kind].otherwise;
    return true;
}

bool hd_reordered_polls(const hd_op *op)
{
    return hd_kinds[op->kind].decided == HD_DECIDED_SENT;
}

/* A check for a cancellation finds one if it was sent without `earlier`. */
static uint8_t poll_before(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, const hd_op *op)
{
    uint8_t cancelled = hd_kind_strongest(op->kind);
    hd_op poll = { .kind = hd_kinds[op->kind].also, .object = hd_also_object(op) };
    uint32_t i = op->value & HD_CANCELS ? hd_reversal_head(t, &poll, (uint32_t)t->items.count) : (uint32_t)HD_NO_ITEM;
    for (; i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        const hd_op *other = &t->ops.items[i];
        if (!hd_kind_looks(other->kind) && other->value == HD_CANCELS
            && !hd_reversal_drops(t, earlier, later, t->accesses.items[i].item))
            return cancelled;
    }
    return hd_kinds[cancelled].otherwise;
}

/* The least token that a wait finds there. All waits are ordered and a thread's posts are, so the tokens of a thread
 * that were taken without `earlier` and its dependents are its first ones, and so are those that were added. Initial
 * tokens are left if the wait took one where it was, or if one of those dependents did. */
static uint32_t least_token(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k)
{
    uint32_t added[HD_MAX_THREADS + 1] = { 0 }, taken[HD_MAX_THREADS + 1] = { 0 }, slot = 0;
    bool initial = hd_op_token(&later->ops[k]) == HD_TOKEN_INITIAL;
    for (uint32_t i = hd_reversal_latest(t, later, k); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        const hd_op *op = &t->ops.items[i];
        uint32_t token = hd_op_token(op), owner = token >> HD_TOKEN_SHIFT, item = t->accesses.items[i].item;
        uint32_t *most = hd_kinds[op->kind].adds > 0 ? &added[owner] : &taken[owner];
        bool behind = hd_reversal_is_behind(t, later, k, i);
        bool kept = (item == later->item && !behind) || !hd_reversal_drops(t, earlier, later, item);
        if (hd_kinds[op->kind].role == HD_ROLE_MAKES)
            break;
        if (kept && token > *most)
            *most = token;
        initial |= !kept && token == HD_TOKEN_INITIAL;
    }
    while (slot < HD_MAX_THREADS && added[slot + 1] <= taken[slot + 1])
        slot++;
    if (initial || slot == HD_MAX_THREADS)
        return initial ? HD_TOKEN_INITIAL : 0;
    return taken[slot + 1] ? taken[slot + 1] + 1 : hd_token(slot, 1);
}

/* Posts after a wait that was withdrawn are in the sequence whether they pass it or not: which token it takes is not
 * known. */
static bool move_wait(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op)
{
    bool takes = hd_objects[hd_op_class(op->kind)].starts == HD_STARTS_VALUE && hd_kinds[op->kind].adds < 0;
    bool withdrawn = later->item == HD_NO_ITEM && later->until < t->items.count;
    if (takes)
        op->value = hd_counted((uint32_t)hd_op_count(op), withdrawn ? 0 : least_token(t, earlier, later, k));
    return !takes || !withdrawn;
}

static bool depends_on_state(const hd_op *op)
{
    const hd_kind_facts *facts = &hd_kinds[op->kind];
    return facts->decided != HD_DECIDED_NOTHING && (facts->decided != HD_DECIDED_COUNT || op->flags & HD_OP_TRY);
}

bool hd_reordered_effect(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, uint32_t k, hd_op *op)
{
    if (op->flags & HD_OP_LOOK)
        return true; /* the reads of a waiting loop are reads at any position */
    if (hd_kinds[op->kind].decided == HD_DECIDED_VALUE) {
        if ((op->flags & HD_OP_FIXED) || !sees(t, earlier, later, k))
            return true;
        return move_update(t, earlier, later, k, op);
    }
    if (hd_reordered_polls(op))
        op->kind = poll_before(t, earlier, later, op);
    if (!hd_reordered_polls(op) && depends_on_state(op)) {
        state at = state_before(t, earlier, later, k);
        op->kind = kind_in(op, &at);
        op->choices = (uint8_t)outcomes_in(op, &at);
    }
    return move_wait(t, earlier, later, k, op);
}

bool hd_reordered_saw(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later)
{
    for (uint32_t k = 0; k < later->op_count; k++)
        if (sees(t, earlier, later, k))
            return true;
    return false;
}

bool hd_reordered_is_unknown(const hd_trace *t, uint32_t earlier, const hd_reversal_step *later)
{
    if (!(later->ops->flags & (HD_OP_ATOMIC | HD_OP_OPEN)) || later->spun || hd_reordered_polls(later->ops))
        return false;
    return later->item == HD_NO_ITEM || hd_reordered_saw(t, earlier, later);
}
