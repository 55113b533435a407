#include "dpor/reversal.h"

#include "dpor/reordered_effect.h"

#include <string.h>

static const hd_item *item_of(const hd_trace *t, uint32_t item)
{
    return &t->items.items[item];
}

static bool in_past(const hd_trace *t, uint32_t earlier, uint32_t before)
{
    return before != HD_NO_ITEM && hd_trace_before(t, earlier, before);
}

/* --- enabledness -------------------------------------------------------------------
 *
 * Each object has a count (locks held, readers, the value of a semaphore), and abi/ops.def says what an operation adds
 * to it and which count it needs. The state of an object depends only on its own history, so an operation is enabled
 * without a step if the count satisfies it after the additions of that step and of its dependents have been subtracted.
 * Locks of one kind are ordered, so an operation that was enabled before the first of them is enabled without it: all
 * others depend on it. Read locks are not. A write lock may be enabled only without several of them.
 */

uint32_t hd_reversal_head(const hd_trace *t, const hd_op *op, uint32_t until)
{
    uint32_t object = hd_trace_object(t, op);
    uint32_t head = object == HD_NO_ITEM ? object : t->heads.items[object];
    while (head != HD_NO_ITEM && t->accesses.items[head].item >= until)
        head = t->accesses.items[head].before;
    return head;
}

uint32_t hd_reversal_history(const hd_trace *t, const hd_reversal_step *later, uint32_t k)
{
    if (later->item != HD_NO_ITEM)
        return t->accesses.items[item_of(t, later->item)->access + k].before;
    return hd_reversal_head(t, &later->ops[k], later->until);
}

/* A waiting loop ends when another thread has changed an object that the loop reads: has one done so without `earlier`
 * and its dependents? */
static bool spin_ends_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier)
{
    for (uint32_t k = 1; k < later->op_count; k++)
        for (uint32_t i = later->ops[k].flags & HD_OP_LOOK ? hd_reversal_history(t, later, k) : (uint32_t)HD_NO_ITEM;
             i != HD_NO_ITEM; i = t->accesses.items[i].before) {
            const hd_op *op = &t->ops.items[i];
            if (t->accesses.items[i].item == later->item)
                continue;
            if (op->thread == later->thread)
                break; /* older changes were visible to this access, and the wait went on */
            if (!hd_kind_looks(op->kind) && hd_ops_conflict(op, &later->ops[k])
                && !hd_reversal_drops(t, earlier, later, t->accesses.items[i].item))
                return true;
        }
    return false;
}

/* An operation on freed memory does not block: has the memory been freed without `earlier` and its dependents? The free
 * is the last operation that destroys the object, and is not in the trace if there was one thread then. */
static bool is_freed_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier)
{
    uint32_t i = hd_reversal_history(t, later, 0);
    if (!hd_op_is_freed(later->ops))
        return false;
    while (i != HD_NO_ITEM && hd_kinds[t->ops.items[i].kind].role != HD_ROLE_DESTROYS)
        i = t->accesses.items[i].before;
    return i == HD_NO_ITEM || !hd_reversal_drops(t, earlier, later, t->accesses.items[i].item);
}

uint32_t hd_reversal_latest(const hd_trace *t, const hd_reversal_step *later, uint32_t k)
{
    bool takes = hd_op_takes_token(&later->ops[k]) && later->item != HD_NO_ITEM;
    return takes ? t->heads.items[hd_trace_object(t, &later->ops[k])] : hd_reversal_history(t, later, k);
}

bool hd_reversal_is_behind(const hd_trace *t, const hd_reversal_step *later, uint32_t k, uint32_t access)
{
    return later->item != HD_NO_ITEM && access >= item_of(t, later->item)->access + k;
}

/* A step that was not performed looks at the end of its process: has that come without `earlier` and its dependents? */
static bool is_dead_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier)
{
    if (later->item != HD_NO_ITEM || later->op_count < 2)
        return false;
    uint32_t i = hd_reversal_history(t, later, 1);
    while (i != HD_NO_ITEM && !hd_kinds[t->ops.items[i].kind].adds)
        i = t->accesses.items[i].before;
    return i != HD_NO_ITEM && !hd_reversal_drops(t, earlier, later, t->accesses.items[i].item);
}

/* The sequence has all steps of the trace that do not depend on `earlier`, also those after `later`: posts that it
 * passes. They do not depend on it either, so they can come first. */
static bool is_enabled(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier)
{
    const hd_op *op = &later->ops[0];
    if ((later->spun && !spin_ends_without(t, later, earlier)) || is_dead_without(t, later, earlier))
        return false;
    if (hd_kinds[op->kind].need == HD_NEED_NOTHING || (op->flags & HD_OP_TRY) || is_freed_without(t, later, earlier))
        return true;
    int64_t held = later->held;
    for (uint32_t i = hd_reversal_latest(t, later, 0); i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        uint32_t item = t->accesses.items[i].item;
        int32_t adds = hd_kinds[t->ops.items[i].kind].adds;
        if (item < earlier)
            break; /* older accesses do not depend on it */
        bool kept = !hd_reversal_drops(t, earlier, later, item);
        if (hd_reversal_is_behind(t, later, 0, i))
            held += kept ? adds : 0;
        else
            held -= kept ? 0 : adds;
    }
    return hd_need_is_met(hd_kinds[op->kind].need, held);
}

static bool can_wait_for_several(const hd_op *op)
{
    return hd_kinds[op->kind].need == HD_NEED_ZERO && hd_class_is_shared(hd_op_class(op->kind));
}

/* Adds the read locks that the sequence would still hold, of each thread the first one that no kept unlock releases;
 * false: there are none that could be left out. */
static bool leave_out_held(const hd_trace *t, hd_reversal_step *later, uint32_t earlier, uint32_t *also)
{
    int32_t balance[HD_MAX_THREADS] = { 0 }, most[HD_MAX_THREADS] = { 0 };
    uint32_t entry[HD_MAX_THREADS], count = later->also_count;
    uint32_t i = hd_reversal_history(t, later, 0);
    for (; i != HD_NO_ITEM && t->accesses.items[i].item >= earlier; i = t->accesses.items[i].before) {
        const hd_op *op = &t->ops.items[i];
        uint32_t item = t->accesses.items[i].item;
        if (hd_reversal_drops(t, earlier, later, item))
            continue;
        balance[op->thread] += hd_kinds[op->kind].adds;
        if (balance[op->thread] <= most[op->thread])
            continue; /* an unlock, or a lock that a later unlock releases */
        if (in_past(t, item, later->before))
            return false;
        if (!most[op->thread])
            entry[op->thread] = count++;
        most[op->thread] = balance[op->thread];
        also[entry[op->thread]] = item;
    }
    bool more = count > later->also_count;
    later->also = also;
    later->also_count = count;
    return more;
}

/* Without a read lock, unlocks that depend on it are missing, too, so further locks may be held. */
static bool leave_out(const hd_trace *t, hd_reversal_step *later, uint32_t earlier, uint32_t *also)
{
    while (!is_enabled(t, later, earlier))
        if (!leave_out_held(t, later, earlier, also))
            return false;
    return true;
}

void hd_reversal_leave_out(const hd_trace *t, hd_reversal_step *later, uint32_t earlier, uint32_t *also)
{
    later->also_count = 0;
    if (can_wait_for_several(later->ops))
        leave_out(t, later, earlier, also);
}

bool hd_reversal_is_enabled_without(const hd_trace *t, const hd_reversal_step *later, uint32_t earlier)
{
    uint32_t also[HD_MAX_THREADS];
    hd_reversal_step moved = *later;
    return is_enabled(t, later, earlier) || (can_wait_for_several(later->ops) && leave_out(t, &moved, earlier, also));
}

/* --- the three kinds of later steps --------------------------------------------------- */

/* The count of the object right before the operation, which follows the access `head`. Objects that start with a value
 * log it with each operation. */
static int64_t count_before(const hd_trace *t, const hd_op *op, uint32_t head)
{
    if (hd_objects[hd_op_class(op->kind)].starts == HD_STARTS_VALUE)
        return hd_op_count(op);
    return head == HD_NO_ITEM ? 0 : t->accesses.items[head].held;
}

hd_reversal_step hd_reversal_of_step(const hd_trace *t, uint32_t position)
{
    uint32_t index = t->steps.items[position];
    const hd_item *item = item_of(t, index);
    hd_reversal_step s = {
        .thread = item->thread, .item = index, .before = item->before, .until = index, .op_count = item->access_count
    };
    s.ops = &t->ops.items[item->access];
    s.spun = s.ops->flags & HD_OP_SPUN;
    uint8_t need = hd_kinds[s.ops->kind].need;
    bool was_zero = need == HD_NEED_ZERO && !hd_op_is_freed(s.ops); /* it was performed */
    if (need != HD_NEED_NOTHING && !was_zero)
        s.held = count_before(t, s.ops, t->accesses.items[item->access].before);
    return s;
}

/* A step that was not performed has one operation that is known, without a stretch; and it looks at the end of
 * its process. */
static void set_own(hd_reversal_step *s, const hd_trace *t, const hd_op *op)
{
    uint64_t ending = hd_op_class(op->kind) == HD_OBJECT_ENDING ? 0 : t->endings[op->thread];
    s->own[0] = *op;
    if (hd_op_has_stretch(op))
        s->own[0].value = 0;
    s->own[1] = hd_process_runs(op->thread, ending);
    s->ops = s->own;
    s->op_count = ending ? 2 : 1;
}

void hd_reversal_of_pending(hd_reversal_step *s, const hd_trace *t, const hd_op *pending)
{
    *s = (hd_reversal_step) { .thread = pending->thread,
        .item = HD_NO_ITEM,
        .before = t->last[pending->thread],
        .until = (uint32_t)t->items.count,
        .spun = pending->flags & HD_OP_SPUN };
    set_own(s, t, pending);
    s->held = count_before(t, pending, hd_reversal_head(t, pending, s->until));
}

void hd_reversal_of_withdrawn(hd_reversal_step *s, const hd_trace *t, uint32_t item)
{
    const hd_item *w = item_of(t, item);
    const hd_op *op = &t->withdrawn.items[w->access];
    *s = (hd_reversal_step) { .thread = w->thread, .item = HD_NO_ITEM, .before = w->before, .until = item };
    set_own(s, t, op);
    s->held = count_before(t, op, hd_reversal_head(t, op, item));
}

/* --- finding races ---------------------------------------------------------------------- */

typedef struct candidates {
    uint32_t *items;
    uint32_t count;
} candidates;

/* Adds an item and keeps only those that happen before no other candidate: the conflict with an earlier item is not the
 * only order between it and the later step. */
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

/* Does the item happen before a candidate? Only where nothing ends the search: tokens and stretches. */
static bool is_before_candidate(const hd_trace *t, const candidates *c, uint32_t item)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->items[i] > item && hd_trace_before(t, item, c->items[i]))
            return true;
    return false;
}

/* Races with accesses to the object of the k-th operation, from the latest access back. The search ends at an access
 * that conflicts with all older ones (they happen before it) if it races itself or lies in the step's past. If it does
 * neither, because the step is not enabled without it, older accesses may race across it. */
static void find_on_object(const hd_trace *t, const hd_reversal_step *later, uint32_t k, candidates *c)
{
    const hd_op *op = &later->ops[k];
    bool memory = hd_kind_is_memory(op->kind);
    bool taken = false, added = false; /* an access that takes data, or adds some, races or lies in the past */
    uint32_t i = hd_trace_history(t, hd_reversal_history(t, later, k), op);
    for (; i != HD_NO_ITEM; i = hd_trace_history_before(t, i, op)) {
        const hd_op *other = &t->ops.items[i];
        uint32_t item = t->accesses.items[i].item;
        if (memory ? !(other->mask & op->mask) : hd_ops_commute_here(other, op))
            continue;
        bool covers =
            memory ? hd_kind_is_total(other->kind) && (other->mask & op->mask) == op->mask : hd_op_is_total(other);
        bool past = in_past(t, item, later->before) || (!memory && is_before_candidate(t, c, item));
        bool found = !past && other->thread != later->thread && hd_kinds_conflict(other->kind, op->kind)
            && hd_reversal_is_enabled_without(t, later, item);
        if (found)
            add_candidate(t, c, item);
        if (!memory && hd_op_has_stretch(other)) {
            taken |= (past || found) && hd_kinds[other->kind].role == HD_ROLE_FETCHES;
            added |= (past || found) && hd_kinds[other->kind].role == HD_ROLE_APPENDS;
            covers = taken && added; /* all older ones happen before one of the two */
        }
        if (covers && (past || found))
            return;
    }
}

/* Exiting conflicts with everything, so it races with the last step of every other thread without which it could have
 * been performed. */
static void find_for_exit(const hd_trace *t, const hd_reversal_step *later, candidates *c)
{
    bool seen[HD_MAX_THREADS] = { false };
    for (size_t i = t->steps.count; i-- > 0;) {
        uint32_t index = t->steps.items[i];
        const hd_item *item = item_of(t, index);
        if (index >= later->until || item->thread == later->thread || seen[item->thread])
            continue;
        bool past = in_past(t, index, later->before), found = !past && hd_reversal_is_enabled_without(t, later, index);
        if (found)
            add_candidate(t, c, index);
        seen[item->thread] = past || found;
    }
}

bool hd_reversal_exits(const hd_op *ops, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (hd_kind_exits(ops[i].kind))
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

/* --- the sequence --------------------------------------------------------------------------- */

/* The kind of the first operation, which may be another one at the new position, says which one follows in the same
 * step. A step that was never performed shows only its first operation. */
static void fit_rest(const hd_reversal_step *later, hd_reversal_room *room)
{
    const hd_op *first = &room->ops.items[0];
    uint8_t has = hd_kinds[first->kind].also;
    uint8_t had = later->item == HD_NO_ITEM ? HD_NONE : hd_kinds[later->ops->kind].also;
    hd_op also = *first;
    also.kind = has;
    also.object = hd_also_object(first);
    if (has && !had)
        hd_vec_push(&room->ops, also);
    for (uint32_t k = 1; had && !has && k < room->ops.count; k++)
        if (room->ops.items[k].kind == had) {
            room->ops.items[k] = *hd_vec_last(&room->ops);
            room->ops.count--;
        }
}

/* Plain accesses, loads and stores have the same effect at any position. So has a composed step of which it is the only
 * operation: what follows it elsewhere need not be known (keep_visible). */
static bool has_fixed_effect(const hd_op *op)
{
    return hd_kind_is_memory(op->kind) && hd_kinds[op->kind].decided == HD_DECIDED_NOTHING
        && !(op->flags & HD_OP_ATOMIC);
}

static bool is_taking(const hd_op *op)
{
    return hd_kinds[op->kind].role == HD_ROLE_TAKES || hd_kinds[op->kind].role == HD_ROLE_SHARES;
}

/* What the invisible operations of a composed step do elsewhere is not known. But they conflict only with steps that
 * take the same lock as this one (docs/algorithms/sss.md, "What a composed step does elsewhere"). */
static void keep_visible(hd_reversal_room *room)
{
    size_t kept = 0;
    for (size_t k = 0; k < room->ops.count; k++)
        if (!(room->ops.items[k].flags & HD_OP_CONTINUES) || !(room->ops.items[k].flags & HD_OP_COMPOSED))
            room->ops.items[kept++] = room->ops.items[k];
    room->ops.count = kept;
    room->ops.items[0].flags &= (uint16_t)~HD_OP_SECTION;
}

/* Sets the operations of `later` to those that it has before `earlier`; returns the number of its outcomes there. */
static uint32_t move(
    const hd_trace *t, uint32_t earlier, const hd_reversal_step *later, hd_sequence_last *last, hd_reversal_room *room)
{
    if (later->op_count == 1 && has_fixed_effect(later->ops)) {
        last->ops = later->ops;
        last->op_count = 1;
        return 1;
    }
    hd_vec_clear(&room->ops);
    for (uint32_t k = 0; k < later->op_count; k++) {
        hd_vec_push(&room->ops, later->ops[k]);
        last->inexact |= !hd_reordered_effect(t, earlier, later, k, hd_vec_last(&room->ops));
    }
    fit_rest(later, room);
    bool unknown = hd_reordered_is_unknown(t, earlier, later);
    if (unknown && !(later->ops->flags & HD_OP_ATOMIC)) {
        keep_visible(room);
        last->inexact |= is_taking(room->ops.items);
    } else if (unknown) {
        room->ops.items[0].kind = HD_ANYTHING; /* conflicts with everything; it names no cell */
        room->ops.items[0].object = room->ops.items[0].mask = room->ops.items[0].choices = 0;
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
    hd_sequence_begin(&room->sequence, t, earlier, later->also, later->also_count);
    uint32_t outcomes = move(t, earlier, later, &last, room);
    hd_sequence_end(&room->sequence, last);
    return outcomes;
}
