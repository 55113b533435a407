#include "event/trace.h"

#include "base/error.h"
#include "abi/valid.h"

#include <string.h>

void hd_trace_init(hd_trace *t, hd_memory *memory, bool races)
{
    memset(t, 0, sizeof *t);
    t->memory = t->items.memory = t->accesses.memory = t->steps.memory = t->ops.memory = t->heads.memory =
        t->new_races.memory = t->withdrawn.memory = t->operands.memory = t->index.memory = t->edges.memory = memory;
    hd_map_init(&t->objects, memory);
    for (int i = 0; i < HD_MAX_THREADS; i++)
        t->last[i] = t->last_edge[i] = HD_NO_ITEM;
    t->width = 4;
    t->races = races;
}

void hd_trace_fini(hd_trace *t)
{
    hd_release(t->memory, t->clocks, t->clock_room * sizeof *t->clocks);
    hd_vec_fini(&t->items);
    hd_vec_fini(&t->ops);
    hd_vec_fini(&t->operands);
    hd_vec_fini(&t->withdrawn);
    hd_vec_fini(&t->accesses);
    hd_vec_fini(&t->steps);
    hd_vec_fini(&t->index);
    hd_vec_fini(&t->heads);
    hd_vec_fini(&t->new_races);
    hd_vec_fini(&t->edges);
    hd_map_fini(&t->objects);
}

/* --- clocks ------------------------------------------------------------------ */

static uint32_t *clock_of(hd_trace *t, uint32_t item)
{
    return t->clocks + (size_t)item * 2 * t->width;
}

static void reserve_clocks(hd_trace *t, size_t items)
{
    size_t want = items * 2 * t->width;
    if (want <= t->clock_room)
        return;
    size_t room = t->clock_room ? t->clock_room : 1024;
    while (room < want)
        room *= 2;
    t->clocks = hd_resize(t->memory, t->clocks, t->clock_room * sizeof *t->clocks, room * sizeof *t->clocks);
    t->clock_room = room;
}

/* Makes room for thread number `thread` in every clock. */
static void widen(hd_trace *t, uint32_t thread)
{
    uint32_t old = t->width, width = (thread + 4) & ~3u;
    size_t items = t->items.count;
    t->width = width;
    reserve_clocks(t, items + 1);
    for (size_t half = items * 2; half-- > 0;) { /* from the end, because the rows move up in place */
        memmove(t->clocks + half * width, t->clocks + half * old, old * sizeof *t->clocks);
        memset(t->clocks + half * width + old, 0, (width - old) * sizeof *t->clocks);
    }
}

/* Signed comparison, because every x86-64 can compare four signed numbers at once. */
static void join(uint32_t *into, const uint32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        into[i] = (int32_t)into[i] > (int32_t)from[i] ? into[i] : from[i];
}

/* The other item happens before this one. */
static void follow(hd_item *item, const hd_item *other)
{
    uint32_t after = other->kind == HD_ITEM_STEP ? other->position + 1 : other->after;
    item->after = item->after > after ? item->after : after;
}

/* --- the index ---------------------------------------------------------------- */

static void set_bit(uint64_t *word, uint64_t bit, bool on)
{
    *word = on ? *word | bit : *word & ~bit;
}

static void note_step(hd_trace *t, uint32_t position, uint32_t thread, bool on)
{
    while (position / 64 >= t->index.count)
        memset(hd_vec_add(&t->index), 0, sizeof *t->index.items);
    set_bit(&t->index.items[position / 64].threads[thread % HD_TRACE_SLOTS], 1ull << position % 64, on);
}

/* An exit conflicts with everything, so it is entered into every slot. */
static void note_touch(hd_trace *t, uint32_t position, const hd_op *op, bool on)
{
    hd_trace_index *index = &t->index.items[position / 64];
    bool exits = hd_kind_exits(op->kind);
    uint32_t from = exits ? 0 : hd_trace_slot(op), to = exits ? HD_TRACE_SLOTS : from + 1;
    for (uint32_t i = from; i < to; i++) {
        set_bit(&index->touches[i], 1ull << position % 64, on);
        if (!hd_kind_looks(op->kind))
            set_bit(&index->changes[i], 1ull << position % 64, on);
    }
}

static size_t cost_of_check(const hd_trace *t)
{
    return t->accesses.count * t->accesses.count + t->steps.count * HD_TRACE_SLOTS / 2;
}

/* --- cutting ------------------------------------------------------------------ */

/* The item is dropped: the edges in it, of which `edge` is the last, are open again. */
static void reopen_edges(hd_trace *t, uint32_t edge, uint32_t item)
{
    for (; edge != HD_NO_ITEM && t->edges.items[edge].item == item; edge = t->edges.items[edge].before)
        t->edges.items[edge].item = HD_NO_ITEM;
}

static void pop_item(hd_trace *t)
{
    hd_item *item = hd_vec_last(&t->items);
    for (uint32_t i = item->access_count; i-- > 0;) {
        hd_access *a = hd_vec_last(&t->accesses);
        t->heads.items[a->object] = a->before;
        note_touch(t, item->position, hd_vec_last(&t->ops), false);
        t->accesses.count--;
        t->ops.count--;
        t->operands.count--;
    }
    if (item->kind == HD_ITEM_EDGE)
        reopen_edges(t, item->access, (uint32_t)t->items.count - 1);
    if (item->kind == HD_ITEM_WITHDRAWN)
        t->withdrawn.count--;
    else
        t->last[item->thread] = item->before;
    if (item->kind == HD_ITEM_STEP) {
        note_step(t, item->position, item->thread, false);
        t->step_count[item->thread]--;
        t->steps.count--;
    }
    t->items.count--;
}

/* Edges after the last kept access are dropped: the next execution logs them again. */
static void cut_edges(hd_trace *t)
{
    while (t->edges.count && hd_vec_last(&t->edges)->accesses >= t->accesses.count) {
        hd_trace_edge e = hd_vec_pop(&t->edges);
        t->last_edge[e.to] = e.before;
    }
}

void hd_trace_cut(hd_trace *t, uint32_t steps)
{
    hd_assert(steps <= t->steps.count);
    while (t->steps.count > steps)
        pop_item(t);
    while (t->items.count && hd_vec_last(&t->items)->kind != HD_ITEM_STEP)
        pop_item(t);
    cut_edges(t);
    hd_check_valid(hd_trace_is_valid(t), cost_of_check(t), t->extensions);
}

/* --- extending ---------------------------------------------------------------- */

static hd_item *push_item(hd_trace *t, hd_item_kind kind, uint32_t thread)
{
    if (thread >= t->width)
        widen(t, thread);
    uint32_t index = (uint32_t)t->items.count;
    reserve_clocks(t, index + 1);
    hd_item *item = hd_vec_add(&t->items);
    *item = (hd_item) { .kind = (uint8_t)kind,
        .thread = (uint16_t)thread,
        .before = t->last[thread],
        .access = (uint32_t)t->accesses.count,
        .position = (uint32_t)t->steps.count };
    uint32_t *clock = clock_of(t, index);
    if (item->before == HD_NO_ITEM) {
        memset(clock, 0, 2 * t->width * sizeof *clock);
    } else {
        memcpy(clock, clock_of(t, item->before), 2 * t->width * sizeof *clock);
        follow(item, &t->items.items[item->before]);
    }
    if (kind != HD_ITEM_WITHDRAWN) /* a withdrawn operation was not performed: it precedes nothing */
        t->last[thread] = index;
    return item;
}

/* Makes one item of all open edges into the thread. */
static void close_edges(hd_trace *t, uint32_t thread)
{
    uint32_t i = t->last_edge[thread];
    if (i == HD_NO_ITEM || t->edges.items[i].item != HD_NO_ITEM)
        return;
    push_item(t, HD_ITEM_EDGE, thread)->access = i;
    uint32_t item = (uint32_t)t->items.count - 1;
    for (; i != HD_NO_ITEM && t->edges.items[i].item == HD_NO_ITEM; i = t->edges.items[i].before) {
        hd_trace_edge *e = &t->edges.items[i];
        e->item = item;
        join(clock_of(t, item), clock_of(t, e->from), 2 * t->width);
        follow(&t->items.items[item], &t->items.items[e->from]);
    }
}

static void note_edge(hd_trace *t, const hd_op *op)
{
    uint32_t from = (uint32_t)op->object;
    close_edges(t, from); /* what precedes the other thread precedes this one, too */
    if (t->last[from] == HD_NO_ITEM)
        return;
    if (op->thread >= t->width)
        widen(t, op->thread);
    hd_trace_edge e = { op->thread, t->last[from], t->last_edge[op->thread], (uint32_t)t->accesses.count, HD_NO_ITEM };
    t->last_edge[op->thread] = (uint32_t)t->edges.count;
    hd_vec_push(&t->edges, e);
}

static uint32_t object_of(hd_trace *t, const hd_op *op)
{
    uint64_t *number = hd_map_put(&t->objects, hd_op_key(op));
    if (!*number) {
        hd_vec_push(&t->heads, (uint32_t)HD_NO_ITEM);
        *number = t->heads.count;
    }
    return (uint32_t)(*number - 1);
}

uint32_t hd_trace_object(const hd_trace *t, const hd_op *op)
{
    const uint64_t *number = hd_map_get(&t->objects, hd_op_key(op));
    return number ? (uint32_t)(*number - 1) : (uint32_t)HD_NO_ITEM;
}

/* Does the program's synchronisation guarantee that the later operation comes after the earlier one? */
static bool synchronises(const hd_op *earlier, const hd_op *later)
{
    return hd_kind_releases(earlier->kind) && hd_kind_acquires(later->kind);
}

/* Is everything older than `earlier` that conflicts with `later` known to happen before something that has been found?
 * Both have tokens and conflict. All waits of a semaphore are ordered, and all that is older than a wait and not a post
 * happens before it. Of the older posts, a wait conflicts with that of its own token, and with those of lesser ones,
 * which earlier waits have taken. */
static bool is_settled(const hd_op *earlier, const hd_op *later, uint8_t *found)
{
    enum { A_WAIT = 1, THE_TOKEN = 2 };
    uint32_t token = hd_op_token(later);
    bool waits = hd_kinds[earlier->kind].adds < 0;
    if (hd_kinds[later->kind].adds > 0)
        return waits;
    *found |= (waits ? A_WAIT : 0) | (token == HD_TOKEN_INITIAL || token == hd_op_token(earlier) ? THE_TOKEN : 0);
    return *found == (A_WAIT | THE_TOKEN);
}

/* The same for a queue: all takes are ordered, and so is all that adds data. */
static bool is_settled_in_queue(const hd_op *earlier, uint8_t *found)
{
    *found |= hd_kinds[earlier->kind].role == HD_ROLE_FETCHES ? 1 : 2;
    return *found == 3;
}

/* The operation belongs to a section: other sections of its lock do not precede it in the trace, but synchronise with
 * it. Older ones have synchronised with one that conflicts with them all. */
static void synchronise_sections(hd_trace *t, uint32_t index)
{
    const hd_op *later = &t->ops.items[index];
    uint32_t item = t->accesses.items[index].item, *sync = clock_of(t, item) + t->width;
    for (uint32_t i = t->accesses.items[index].before; i != HD_NO_ITEM; i = t->accesses.items[i].before) {
        const hd_op *earlier = &t->ops.items[i];
        if (t->accesses.items[i].item != item && hd_kinds_conflict(earlier->kind, later->kind)
            && synchronises(earlier, later))
            join(sync, clock_of(t, t->accesses.items[i].item) + t->width, t->width);
        if (hd_kind_is_total(earlier->kind))
            return;
    }
}

/* Orders the new operation after the earlier ones on its object that it conflicts with, and records those that race
 * with it. The loop ends at an operation that conflicts with everything on these bytes: all older ones happen before
 * it; for operations with tokens or stretches, when both kinds of predecessors have been found. */
static void order_access(hd_trace *t, uint32_t index)
{
    const hd_access *access = &t->accesses.items[index];
    const hd_op *later = &t->ops.items[index];
    uint32_t *full = clock_of(t, access->item), *sync = full + t->width;
    bool memory = hd_kind_is_memory(later->kind), tokens = !memory && hd_op_token(later);
    bool stretch = !memory && hd_op_has_stretch(later);
    uint8_t found = 0;
    if (hd_ops_are_sections(later, later))
        synchronise_sections(t, index);
    uint32_t i = hd_trace_history(t, access->before, later);
    for (; i != HD_NO_ITEM; i = hd_trace_history_before(t, i, later)) {
        const hd_op *earlier = &t->ops.items[i];
        uint32_t index_before = t->accesses.items[i].item;
        uint8_t common = earlier->mask & later->mask;
        if (memory ? !common : hd_ops_commute_here(earlier, later))
            continue;
        if (index_before != access->item && hd_kinds_conflict(earlier->kind, later->kind)) {
            const hd_item *item = &t->items.items[index_before];
            if (synchronises(earlier, later))
                join(sync, clock_of(t, index_before) + t->width, t->width);
            else if (t->races && memory && item->thread != later->thread && sync[item->thread] < item->number
                && (hd_kind_is_plain(earlier->kind) || hd_kind_is_plain(later->kind))
                && !((earlier->flags | later->flags) & HD_OP_LOOK))
                hd_vec_push(&t->new_races, ((hd_race) { i, index }));
            /* If the clock has it already, everything before it is in the clock, too. */
            if (!t->sync_only && full[item->thread] < item->number) {
                join(full, clock_of(t, index_before), t->width);
                follow(&t->items.items[access->item], item);
            }
        }
        if (memory ? hd_kind_is_total(earlier->kind) && common == later->mask
                   : hd_op_is_total(earlier) || (tokens && is_settled(earlier, later, &found))
                    || (stretch && is_settled_in_queue(earlier, &found)))
            break;
    }
}

/* Exiting conflicts with everything, so all earlier steps happen before it. */
static void order_exit(hd_trace *t, uint32_t item)
{
    for (uint32_t thread = 0; thread < t->width; thread++)
        if (t->last[thread] != HD_NO_ITEM && t->last[thread] != item) {
            join(clock_of(t, item), clock_of(t, t->last[thread]), t->width);
            follow(&t->items.items[item], &t->items.items[t->last[thread]]);
        }
}

/* `before` is the object's access before it. */
static uint32_t outside_of(const hd_trace *t, uint32_t before, const hd_op *op)
{
    bool both = before != HD_NO_ITEM && hd_ops_are_sections(&t->ops.items[before], op);
    return both ? t->accesses.items[before].outside : before;
}

static void push_access(hd_trace *t, const hd_op *op, uint64_t operand)
{
    uint32_t item = (uint32_t)t->items.count - 1, index = (uint32_t)t->accesses.count;
    t->items.items[item].access_count++;
    uint32_t object = object_of(t, op), before = t->heads.items[object];
    int32_t held = (before == HD_NO_ITEM ? 0 : t->accesses.items[before].held) + hd_kinds[op->kind].adds;
    uint32_t other = hd_trace_history_of_kind(t, before, op->kind), outside = outside_of(t, before, op);
    hd_vec_push(&t->accesses, ((hd_access) { item, object, before, other, outside, held }));
    hd_vec_push(&t->ops, *op);
    hd_vec_push(&t->operands, operand);
    t->heads.items[object] = index;
    note_touch(t, t->items.items[item].position, op, true);
    if (hd_kind_exits(op->kind))
        order_exit(t, item);
    else if (hd_op_class(op->kind) != HD_OBJECT_NONE)
        order_access(t, index);
}

static void push_step(hd_trace *t, const hd_op *op, uint64_t operand)
{
    close_edges(t, op->thread);
    hd_item *item = push_item(t, HD_ITEM_STEP, op->thread);
    item->number = ++t->step_count[op->thread];
    item->choice = op->choice;
    item->choices = op->choices;
    item->flags = op->flags;
    uint32_t index = (uint32_t)t->items.count - 1;
    clock_of(t, index)[op->thread] = item->number;
    clock_of(t, index)[t->width + op->thread] = item->number;
    note_step(t, item->position, op->thread, true);
    hd_vec_push(&t->steps, index);
    push_access(t, op, operand);
}

static void push_withdrawn(hd_trace *t, const hd_op *op)
{
    close_edges(t, op->thread);
    push_item(t, HD_ITEM_WITHDRAWN, op->thread)->access = (uint32_t)t->withdrawn.count;
    hd_vec_push(&t->withdrawn, *op);
}

/* Skips the steps that the trace has already; false: the log differs from them. */
static bool skip_shared(const hd_trace *t, const hd_execution *e, uint32_t *log_index)
{
    uint32_t step = 0;
    uint32_t access = 0;
    while (step < t->steps.count || (access < t->accesses.count && *log_index < e->log_count)) {
        if (*log_index == e->log_count)
            return false;
        const hd_op *op = &e->log[(*log_index)++];
        if (!hd_op_is_done(op))
            continue;
        const hd_op *known = &t->ops.items[access++];
        if (!hd_trace_same_op(known, op))
            return false;
        if (!(op->flags & HD_OP_CONTINUES))
            step++;
    }
    return true;
}

bool hd_trace_extend(hd_trace *t, const hd_execution *e)
{
    uint32_t i = 0;
    hd_vec_clear(&t->new_races);
    t->extensions++;
    if (!skip_shared(t, e, &i))
        return false;
    for (; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        uint64_t operand = e->operands && hd_op_test(op) ? e->operands[i] : 0;
        if (op->kind == HD_BRANCH)
            continue;
        if (op->kind == HD_EDGE)
            note_edge(t, op);
        else if (op->flags & HD_OP_WITHDRAWN)
            push_withdrawn(t, op);
        else if (op->flags & HD_OP_CONTINUES)
            push_access(t, op, operand);
        else
            push_step(t, op, operand);
    }
    for (uint32_t k = 0; k < e->thread_count; k++) {
        t->endings[k] = e->threads[k].ending;
        if (e->threads[k].status == HD_THREAD_AT_OP)
            close_edges(t, k);
    }
    hd_check_valid(hd_trace_is_valid(t), cost_of_check(t), t->extensions);
    return true;
}

/* --- validity ------------------------------------------------------------------ */

/* What the items before the one at hand say. */
typedef struct walk {
    uint32_t last[HD_MAX_THREADS], numbers[HD_MAX_THREADS]; /* per thread: its last item, its steps */
    uint32_t steps;
    uint32_t *clock; /* of the item at hand, by the definition: full and sync */
    uint32_t after;
} walk;

static void come_after(const hd_trace *t, walk *w, uint32_t item, bool sync)
{
    const uint32_t *clock = hd_trace_clock(t, item);
    const hd_item *other = &t->items.items[item];
    uint32_t after = other->kind == HD_ITEM_STEP ? other->position + 1 : other->after;
    join(w->clock, clock, t->width);
    if (sync)
        join(w->clock + t->width, clock + t->width, t->width);
    if (after > w->after)
        w->after = after;
}

/* Joins the clocks of all earlier steps that conflict with the access, without the help of histories. An access
 * that conflicts with everything hides those before it from the sync clock. */
static void come_after_conflicts(const hd_trace *t, walk *w, uint32_t access)
{
    const hd_op *later = &t->ops.items[access];
    bool hidden = hd_op_class(later->kind) == HD_OBJECT_NONE;
    for (uint32_t i = access; i-- > 0;) {
        const hd_op *earlier = &t->ops.items[i];
        bool same = hd_op_key(earlier) == hd_op_key(later), memory = hd_kind_is_memory(later->kind);
        uint8_t common = earlier->mask & later->mask;
        bool sections = same && hd_ops_are_sections(earlier, later),
             other = t->accesses.items[i].item != t->accesses.items[access].item;
        const uint32_t *clock = hd_trace_clock(t, t->accesses.items[i].item);
        if (other && hd_ops_conflict(earlier, later))
            come_after(t, w, t->accesses.items[i].item, same && !hidden && synchronises(earlier, later));
        if (other && sections && !hidden && synchronises(earlier, later))
            join(w->clock + t->width, clock + t->width, t->width);
        hidden |= same && !sections
            && (memory ? hd_kind_is_total(earlier->kind) && common == later->mask : hd_op_is_total(earlier));
    }
}

static bool clock_is_valid(const hd_trace *t, walk *w, uint32_t index)
{
    const hd_item *item = &t->items.items[index];
    const uint32_t *clock = hd_trace_clock(t, index);
    memset(w->clock, 0, 2 * t->width * sizeof *w->clock);
    w->after = 0;
    if (item->before != HD_NO_ITEM)
        come_after(t, w, item->before, true);
    for (size_t i = 0; i < t->edges.count; i++)
        if (t->edges.items[i].item == index)
            come_after(t, w, t->edges.items[i].from, true);
    for (uint32_t i = 0; i < item->access_count; i++)
        come_after_conflicts(t, w, item->access + i);
    if (item->kind == HD_ITEM_STEP)
        w->clock[item->thread] = w->clock[t->width + item->thread] = item->number;
    size_t half = t->width * sizeof *clock;
    return !memcmp(clock + t->width, w->clock + t->width, half)
        && (t->sync_only || (!memcmp(clock, w->clock, half) && item->after == w->after));
}

/* Is the item what its thread does next? */
static bool item_is_valid(const hd_trace *t, walk *w, uint32_t index)
{
    const hd_item *item = &t->items.items[index];
    bool step = item->kind == HD_ITEM_STEP;
    if (item->thread >= t->width || item->before != w->last[item->thread] || item->position != w->steps)
        return false;
    if (step != (item->access_count > 0) || (step && item->number != ++w->numbers[item->thread]))
        return false;
    if (step && (w->steps >= t->steps.count || t->steps.items[w->steps++] != index))
        return false;
    if (item->kind == HD_ITEM_WITHDRAWN && item->access >= t->withdrawn.count)
        return false;
    if (item->kind != HD_ITEM_WITHDRAWN)
        w->last[item->thread] = index;
    return clock_is_valid(t, w, index);
}

/* Do the bits of the step's block say what it is, and nothing of what is gone? */
static bool index_is_valid(const hd_trace *t, uint32_t position)
{
    const hd_item *item = &t->items.items[t->steps.items[position]];
    const hd_trace_index *index = &t->index.items[position / 64];
    uint64_t bit = 1ull << position % 64, gone = t->steps.count % 64 ? ~0ull << t->steps.count % 64 : 0;
    bool valid = true;
    for (uint32_t i = 0; i < HD_TRACE_SLOTS; i++) {
        valid &= (index->threads[i] & bit) == (i == item->thread % HD_TRACE_SLOTS ? bit : 0);
        valid &= position / 64 < t->steps.count / 64 || !(index->threads[i] & gone);
    }
    for (uint32_t i = 0; i < item->access_count; i++) {
        const hd_op *op = &t->ops.items[item->access + i];
        valid &= (index->touches[hd_trace_slot(op)] & bit) != 0;
        valid &= hd_kind_looks(op->kind) || (index->changes[hd_trace_slot(op)] & bit);
    }
    return valid;
}

/* Is it in its step, and in the history of its object, behind the access before it? */
static bool access_is_valid(const hd_trace *t, uint32_t index)
{
    const hd_access *a = &t->accesses.items[index];
    bool owned = a->item < t->items.count && t->items.items[a->item].access <= index
        && index < t->items.items[a->item].access + t->items.items[a->item].access_count;
    const hd_op *op = &t->ops.items[index];
    uint32_t before = index, other;
    while (before-- > 0 && hd_op_key(&t->ops.items[before]) != hd_op_key(op)) { }
    for (other = before; other != HD_NO_ITEM && !hd_kinds_conflict(t->ops.items[other].kind, op->kind);)
        other = t->accesses.items[other].before;
    int32_t held = (before == HD_NO_ITEM ? 0 : t->accesses.items[before].held) + hd_kinds[op->kind].adds;
    return owned && before == a->before && other == a->other && outside_of(t, before, op) == a->outside
        && held == a->held && a->object == hd_trace_object(t, op);
}

/* Is the last access of each object its head? Accesses that are gone have left none. */
static bool heads_are_valid(const hd_trace *t)
{
    size_t objects = 0;
    for (uint32_t i = 0; i < t->heads.count; i++) {
        uint32_t head = t->heads.items[i];
        if (head != HD_NO_ITEM && (head >= t->accesses.count || t->accesses.items[head].object != i))
            return false;
        objects += head != HD_NO_ITEM;
    }
    for (uint32_t i = 0; i < t->accesses.count; i++) {
        if (t->heads.items[t->accesses.items[i].object] < i)
            return false;
        objects -= t->accesses.items[i].before == HD_NO_ITEM;
    }
    return !objects;
}

static bool edges_are_valid(const hd_trace *t)
{
    uint32_t last[HD_MAX_THREADS];
    memset(last, 0xff, sizeof last);
    for (uint32_t i = 0; i < t->edges.count; i++) {
        const hd_trace_edge *e = &t->edges.items[i];
        if (e->from >= t->items.count || e->accesses > t->accesses.count || e->to >= t->width
            || e->before != last[e->to])
            return false;
        last[e->to] = i;
        bool after_open = e->before != HD_NO_ITEM && t->edges.items[e->before].item == HD_NO_ITEM;
        if (e->item == HD_NO_ITEM)
            continue;
        if (after_open || e->item >= t->items.count || t->items.items[e->item].thread != e->to || e->from >= e->item)
            return false;
    }
    return !memcmp(last, t->last_edge, sizeof last);
}

static bool items_are_valid(const hd_trace *t)
{
    walk w = { .clock = hd_alloc(t->memory, 2 * t->width * sizeof *w.clock) };
    bool valid = true;
    memset(w.last, 0xff, sizeof w.last);
    for (uint32_t i = 0; valid && i < t->items.count; i++)
        valid = item_is_valid(t, &w, i);
    hd_release(t->memory, w.clock, 2 * t->width * sizeof *w.clock);
    return valid && w.steps == t->steps.count && !memcmp(w.last, t->last, sizeof w.last)
        && !memcmp(w.numbers, t->step_count, sizeof w.numbers);
}

bool hd_trace_is_valid(const hd_trace *t)
{
    bool valid = t->ops.count == t->accesses.count && t->operands.count == t->ops.count
        && t->index.count * 64 >= t->steps.count && edges_are_valid(t);
    for (uint32_t i = 0; valid && i < t->accesses.count; i++)
        valid = access_is_valid(t, i);
    valid = valid && heads_are_valid(t) && items_are_valid(t);
    for (uint32_t i = 0; valid && i < t->steps.count; i++)
        valid = index_is_valid(t, i);
    return valid;
}
