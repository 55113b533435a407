#include "event/trace.h"

#include "base/error.h"

#include <string.h>

void hd_trace_init(hd_trace *t, hd_memory *memory, bool races)
{
    memset(t, 0, sizeof *t);
    t->memory = t->items.memory = t->accesses.memory = t->steps.memory = t->ops.memory = t->heads.memory =
        t->new_races.memory = t->withdrawn.memory = t->operands.memory = t->index.memory = t->edges.memory = memory;
    hd_map_init(&t->objects, memory);
    for (int i = 0; i < HD_MAX_THREADS; i++)
        t->last[i] = HD_NO_ITEM;
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
    for (size_t half = items * 2; half-- > 0;) {
        memmove(t->clocks + half * width, t->clocks + half * old, old * sizeof *t->clocks);
        memset(t->clocks + half * width + old, 0, (width - old) * sizeof *t->clocks);
    }
}

/* As signed numbers, which every x86-64 can compare by fours. */
static void join(uint32_t *into, const uint32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        into[i] = (int32_t)into[i] > (int32_t)from[i] ? into[i] : from[i];
}

/* The item comes after the other one. */
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
    set_bit(&t->index.items[position / 64].threads[thread], 1ull << position % 64, on);
}

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

/* --- cutting ------------------------------------------------------------------ */

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

/* Edges that came after the last step kept, the next execution brings again;
 * those whose item is gone are open again. */
static void cut_edges(hd_trace *t)
{
    while (t->edges.count && hd_vec_last(&t->edges)->steps >= t->steps.count) {
        hd_trace_edge e = hd_vec_pop(&t->edges);
        if (e.item == HD_NO_ITEM)
            t->open_edges[e.to]--;
    }
    for (size_t i = 0; i < t->edges.count; i++) {
        hd_trace_edge *e = &t->edges.items[i];
        if (e->item != HD_NO_ITEM && e->item >= t->items.count) {
            e->item = HD_NO_ITEM;
            t->open_edges[e->to]++;
        }
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
    if (kind != HD_ITEM_WITHDRAWN)
        t->last[thread] = index;
    return item;
}

/* Makes an item of the open edges into the thread. */
static void close_edges(hd_trace *t, uint32_t thread)
{
    if (!t->open_edges[thread])
        return;
    t->open_edges[thread] = 0;
    push_item(t, HD_ITEM_EDGE, thread);
    uint32_t item = (uint32_t)t->items.count - 1;
    for (size_t i = 0; i < t->edges.count; i++) {
        hd_trace_edge *e = &t->edges.items[i];
        if (e->to != thread || e->item != HD_NO_ITEM)
            continue;
        e->item = item;
        join(clock_of(t, item), clock_of(t, e->from), 2 * t->width);
        follow(&t->items.items[item], &t->items.items[e->from]);
    }
}

static void note_edge(hd_trace *t, const hd_op *op)
{
    uint32_t from = (uint32_t)op->object;
    close_edges(t, from);
    if (t->last[from] == HD_NO_ITEM)
        return;
    hd_trace_edge e = { op->thread, t->last[from], (uint32_t)t->steps.count, HD_NO_ITEM };
    hd_vec_push(&t->edges, e);
    t->open_edges[op->thread]++;
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

/* Can the program rely on the earlier operation having come first? */
static bool synchronises(const hd_op *earlier, const hd_op *later)
{
    return hd_kind_releases(earlier->kind) && hd_kind_acquires(later->kind);
}

/* Orders the new operation behind the earlier ones on its object that it
 * conflicts with, and notes those that race with it. */
static void order_access(hd_trace *t, uint32_t index)
{
    const hd_access *access = &t->accesses.items[index];
    const hd_op *later = &t->ops.items[index];
    uint32_t *full = clock_of(t, access->item), *sync = full + t->width;
    bool memory = hd_kind_is_memory(later->kind);
    uint32_t i = hd_trace_history(t, access->before, later->kind);
    for (; i != HD_NO_ITEM; i = hd_trace_history_before(t, i, later->kind)) {
        const hd_op *earlier = &t->ops.items[i];
        uint32_t index_before = t->accesses.items[i].item;
        uint8_t common = earlier->mask & later->mask;
        if (memory && !common)
            continue;
        if (index_before != access->item && hd_kinds_conflict(earlier->kind, later->kind)) {
            const hd_item *item = &t->items.items[index_before];
            if (synchronises(earlier, later))
                join(sync, clock_of(t, index_before) + t->width, t->width);
            else if (t->races && memory && item->thread != later->thread && sync[item->thread] < item->number
                && (hd_kind_is_plain(earlier->kind) || hd_kind_is_plain(later->kind))
                && !((earlier->flags | later->flags) & HD_OP_LOOK))
                hd_vec_push(&t->new_races, ((hd_race) { i, index }));
            if (!t->sync_only && full[item->thread] < item->number) {
                join(full, clock_of(t, index_before), t->width);
                follow(&t->items.items[access->item], item);
            }
        }
        if (hd_kind_is_total(earlier->kind) && (!memory || common == later->mask))
            break;
    }
}

/* Exiting conflicts with everything, and so comes after all that was done. */
static void order_exit(hd_trace *t, uint32_t item)
{
    for (uint32_t thread = 0; thread < t->width; thread++)
        if (t->last[thread] != HD_NO_ITEM && t->last[thread] != item) {
            join(clock_of(t, item), clock_of(t, t->last[thread]), t->width);
            follow(&t->items.items[item], &t->items.items[t->last[thread]]);
        }
}

static void push_access(hd_trace *t, const hd_op *op, uint64_t operand)
{
    uint32_t item = (uint32_t)t->items.count - 1, index = (uint32_t)t->accesses.count;
    t->items.items[item].access_count++;
    uint32_t object = object_of(t, op), before = t->heads.items[object];
    bool looked = before != HD_NO_ITEM && hd_kind_looks(t->ops.items[before].kind);
    uint32_t change = looked ? t->accesses.items[before].change : before;
    hd_vec_push(&t->accesses, ((hd_access) { item, object, before, change }));
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

/* Passes over what the trace has already; false if the log differs from it. */
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
        uint64_t operand = e->operands && op->flags >> HD_OP_TEST_SHIFT ? e->operands[i] : 0;
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
    for (uint32_t k = 0; k < e->thread_count; k++)
        if (e->threads[k].status == HD_THREAD_AT_OP)
            close_edges(t, k);
    return true;
}

/* --- validity ------------------------------------------------------------------ */

static bool step_is_valid(const hd_trace *t, uint32_t position, uint32_t *numbers)
{
    uint32_t index = t->steps.items[position];
    if (index >= t->items.count)
        return false;
    const hd_item *item = &t->items.items[index];
    return item->kind == HD_ITEM_STEP && item->position == position && item->number == ++numbers[item->thread]
        && hd_trace_clock(t, index)[item->thread] == item->number && item->access_count > 0;
}

/* The last step that comes before the item is the one that `after` says. */
static bool after_is_valid(const hd_trace *t, uint32_t index)
{
    const hd_item *item = &t->items.items[index];
    uint32_t after = 0;
    for (uint32_t p = 0; p < item->position; p++)
        if (hd_trace_before(t, t->steps.items[p], index))
            after = p + 1;
    return t->sync_only || after == item->after;
}

/* Do the bits of the step's block say what it is, and nothing of what is gone? */
static bool index_is_valid(const hd_trace *t, uint32_t position)
{
    const hd_item *item = &t->items.items[t->steps.items[position]];
    const hd_trace_index *index = &t->index.items[position / 64];
    uint64_t bit = 1ull << position % 64, gone = t->steps.count % 64 ? ~0ull << t->steps.count % 64 : 0;
    bool valid = true;
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++) {
        valid &= (index->threads[i] & bit) == (i == item->thread ? bit : 0);
        valid &= position / 64 < t->steps.count / 64 || !(index->threads[i] & gone);
    }
    for (uint32_t i = 0; i < item->access_count; i++) {
        const hd_op *op = &t->ops.items[item->access + i];
        valid &= (index->touches[hd_trace_slot(op)] & bit) != 0;
        valid &= hd_kind_looks(op->kind) || (index->changes[hd_trace_slot(op)] & bit);
    }
    return valid;
}

static bool item_is_valid(const hd_trace *t, uint32_t index)
{
    const hd_item *item = &t->items.items[index];
    if (!after_is_valid(t, index))
        return false;
    if (item->before == HD_NO_ITEM)
        return true;
    if (item->before >= index || t->items.items[item->before].thread != item->thread)
        return false;
    for (uint32_t i = 0; i < 2 * t->width; i++)
        if (hd_trace_clock(t, item->before)[i] > hd_trace_clock(t, index)[i])
            return false;
    return true;
}

static bool access_is_valid(const hd_trace *t, uint32_t index)
{
    const hd_access *a = &t->accesses.items[index];
    bool owned = a->item < t->items.count && t->items.items[a->item].access <= index
        && index < t->items.items[a->item].access + t->items.items[a->item].access_count;
    uint32_t change = a->before;
    while (change != HD_NO_ITEM && change < index && hd_kind_looks(t->ops.items[change].kind))
        change = t->accesses.items[change].before;
    return owned && change == a->change
        && (a->before == HD_NO_ITEM || (a->before < index && t->accesses.items[a->before].object == a->object));
}

bool hd_trace_is_valid(const hd_trace *t)
{
    uint32_t numbers[HD_MAX_THREADS] = { 0 };
    bool valid = t->ops.count == t->accesses.count;
    for (uint32_t i = 0; valid && i < t->steps.count; i++)
        valid = step_is_valid(t, i, numbers) && index_is_valid(t, i)
            && (i == 0 || t->steps.items[i - 1] < t->steps.items[i]);
    for (uint32_t i = 0; valid && i < HD_MAX_THREADS; i++)
        valid = numbers[i] == t->step_count[i] && (t->last[i] == HD_NO_ITEM || t->last[i] < t->items.count);
    for (uint32_t i = 0; valid && i < t->items.count; i++)
        valid = item_is_valid(t, i);
    for (uint32_t i = 0; valid && i < t->accesses.count; i++)
        valid = access_is_valid(t, i);
    return valid;
}
