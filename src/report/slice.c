#include "report/slice.h"

#include "base/map.h"
#include "base/vec.h"
#include "event/op.h"
#include "event/plan.h"
#include "report/step.h"
#include "report/symbolise.h"

#include <string.h>

enum { MOST_CLOCKS = 1 << 26 /* entries; longer executions are not cut */ };

/* The next operation of the slot comes after this entry. */
typedef struct open_edge {
    uint32_t slot;
    uint32_t first;
} open_edge;

typedef struct slicer {
    hd_report_finding *reported;
    const hd_recorded_run *run;
    uint32_t width; /* of clocks: slots */
    uint32_t *clocks; /* per entry: how many entries of each slot happen before it, or are it */
    uint32_t *numbers; /* per entry: its number among those of its slot, from 1 */
    uint32_t *now; /* per slot: the clock of its next entry */
    uint32_t *last; /* per slot: its last operation, or ~0 */
    uint32_t *before; /* per entry: the previous access to its object, or ~0 */
    hd_map objects; /* key → last access + 1 */
    hd_map relevant; /* keys of objects with data */
    hd_vec(hd_report_order) orders, data;
    hd_vec(open_edge) open;
} slicer;

static uint32_t *clock_of(const slicer *s, uint32_t entry)
{
    return s->clocks + (size_t)entry * s->width;
}

static uint32_t *now_of(const slicer *s, uint32_t slot)
{
    return s->now + (size_t)slot * s->width;
}

static const hd_op *op_at(const slicer *s, uint32_t entry)
{
    return &s->run->ops[entry].op;
}

static void join(uint32_t *into, const uint32_t *other, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        into[i] = other[i] > into[i] ? other[i] : into[i];
}

static bool is_before(const slicer *s, uint32_t entry, const uint32_t *clock)
{
    return s->numbers[entry] && clock[op_at(s, entry)->thread] >= s->numbers[entry];
}

/* Entry `first` comes before `second`. If that is not known yet, the two threads meet. */
static void come_after(slicer *s, uint32_t first, uint32_t second)
{
    uint32_t *clock = now_of(s, op_at(s, second)->thread);
    if (is_before(s, first, clock))
        return;
    hd_vec_push(&s->orders, ((hd_report_order) { first, second, false }));
    join(clock, clock_of(s, first), s->width);
}

/* Later entries first: they may imply the earlier ones. */
static void meet_object(slicer *s, uint32_t entry)
{
    const hd_op *op = op_at(s, entry);
    uint64_t *head = hd_map_put(&s->objects, hd_op_key(op));
    s->before[entry] = (uint32_t)*head - 1;
    *head = entry + 1;
    for (uint32_t i = s->before[entry]; i != ~0u; i = s->before[i]) {
        const hd_op *other = op_at(s, i);
        if (other->thread == op->thread || !hd_ops_conflict(op, other))
            continue;
        come_after(s, i, entry);
        if (hd_op_is_total(other) && !(op->mask & ~other->mask))
            break; /* all that came before happens before this one */
    }
}

/* The end of a process conflicts with everything. */
static void meet_everything(slicer *s, uint32_t entry)
{
    for (uint32_t slot = 0; slot < s->width; slot++)
        if (s->last[slot] != ~0u && slot != op_at(s, entry)->thread)
            come_after(s, s->last[slot], entry);
}

/* What happens before the next operation of one thread happens before that of the other, too. */
static void add_edge(slicer *s, uint32_t from, uint32_t to)
{
    size_t count = s->open.count;
    join(now_of(s, to), now_of(s, from), s->width);
    if (s->last[from] != ~0u)
        hd_vec_push(&s->open, ((open_edge) { to, s->last[from] }));
    for (size_t i = 0; i < count; i++)
        if (s->open.items[i].slot == from) {
            open_edge same = { to, s->open.items[i].first };
            hd_vec_push(&s->open, same);
        }
}

static void close_edges(slicer *s, uint32_t entry)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->open.count; i++) {
        open_edge e = s->open.items[i];
        if (e.slot == op_at(s, entry)->thread)
            hd_vec_push(&s->orders, ((hd_report_order) { e.first, entry, true }));
        else
            s->open.items[kept++] = e;
    }
    s->open.count = kept;
}

static void add_entry(slicer *s, uint32_t entry)
{
    const hd_op *op = op_at(s, entry);
    uint32_t *clock = now_of(s, op->thread);
    if (op->kind == HD_EDGE && op->object < s->width)
        add_edge(s, (uint32_t)op->object, op->thread);
    if (!hd_op_is_done(op))
        return;
    close_edges(s, entry);
    if (hd_kind_exits(op->kind))
        meet_everything(s, entry);
    else if (hd_op_class(op->kind) != HD_OBJECT_NONE && !hd_op_is_implied(op))
        meet_object(s, entry);
    s->numbers[entry] = ++clock[op->thread];
    s->last[op->thread] = entry;
    memcpy(clock_of(s, entry), clock, s->width * sizeof *clock);
}

/* --- the last steps ------------------------------------------------------------------------------ */

typedef struct goal {
    slicer *slicer;
    uint32_t *past; /* a clock */
} goal;

static void need(const goal *g, uint32_t entry)
{
    const slicer *s = g->slicer;
    if (entry >= s->run->op_count || !s->numbers[entry])
        return;
    join(g->past, clock_of(s, entry), s->width);
    s->reported->accesses[entry].matters = true;
}

/* The end of a thread, with what it has waited for. */
static void need_end(const goal *g, uint32_t slot)
{
    const slicer *s = g->slicer;
    if (slot >= s->width)
        return;
    join(g->past, now_of(s, slot), s->width);
    need(g, s->last[slot]);
}

/* All accesses to the variable have a part in it. */
static void need_accesses(const goal *g, uint32_t end)
{
    const slicer *s = g->slicer;
    const hd_op *op = op_at(s, end);
    for (uint32_t i = 0; i <= end; i++)
        if (op_at(s, i)->object == op->object && (op_at(s, i)->mask & op->mask))
            need(g, i);
}

/* What another thread last did at the object at which a thread sleeps. */
static void need_wake(const goal *g, const hd_thread_view *v)
{
    const slicer *s = g->slicer;
    for (uint32_t i = s->run->op_count; i-- > 0 && v->status == HD_THREAD_WAITING && hd_wait_is_sleep(v->waits_for);)
        if (op_at(s, i)->object == v->wait_object && hd_kinds[op_at(s, i)->kind].role != HD_ROLE_SLEEPS
            && is_before(s, i, g->past)) {
            need(g, i);
            return;
        }
}

static void need_last_steps(const goal *g)
{
    const slicer *s = g->slicer;
    const hd_finding *f = &s->reported->finding;
    if (hd_finding_has_accesses(f)) {
        need(g, f->entries[0]);
        need(g, f->entries[1]);
        if (f->kind == HD_FINDING_LOCK_DISCIPLINE && f->entries[1] < s->run->op_count)
            need_accesses(g, f->entries[1]);
        return;
    }
    for (uint32_t i = 0; i < s->run->thread_count && f->kind == HD_FINDING_DEADLOCK; i++)
        if (hd_recorded_is_stuck(s->run, f, i)) {
            need_end(g, s->run->threads[i].slot);
            need(g, hd_report_obstacle(s->run, i));
            need_wake(g, &s->run->threads[i].view);
        }
    if (f->kind != HD_FINDING_DEADLOCK)
        need_end(g, f->thread);
    /* What is left over at the end of the process, any thread may have left. */
    for (uint32_t slot = 0; slot < s->width && f->kind == HD_FINDING_LEAK; slot++)
        need_end(g, slot);
}

/* --- data ---------------------------------------------------------------------------------------- */

/* Does an access of the same thread make this one no news to the others? */
static bool repeats(const hd_op *op, const hd_op *earlier)
{
    return earlier->thread == op->thread && !(op->mask & ~earlier->mask)
        && (!hd_kind_looks(earlier->kind) || hd_kind_looks(op->kind));
}

/* Data, or sleeping and waking. */
static bool is_data(const hd_op *op)
{
    uint8_t role = hd_kinds[op->kind].role;
    return hd_op_is_done(op)
        && (hd_kind_is_memory(op->kind) || role == HD_ROLE_SLEEPS || role == HD_ROLE_WAKES_ONE
            || role == HD_ROLE_WAKES_ALL);
}

static bool is_last(const slicer *s, uint32_t slot)
{
    const hd_finding *f = &s->reported->finding;
    for (uint32_t i = 0; i < s->run->thread_count; i++)
        if (s->run->threads[i].slot == slot && hd_recorded_is_stuck(s->run, f, i))
            return true;
    return !hd_finding_has_accesses(f) && f->kind != HD_FINDING_DEADLOCK && f->thread == slot;
}

/* The objects that the threads of the finding access before it, or that it is about. */
static void collect_relevant(slicer *s, const uint32_t *past)
{
    const hd_finding *f = &s->reported->finding;
    for (uint32_t i = 0; i < s->run->op_count; i++) {
        bool is_of_finding = hd_finding_has_accesses(f) ? i == f->entries[1] : is_last(s, op_at(s, i)->thread);
        if (is_of_finding && is_data(op_at(s, i)) && is_before(s, i, past))
            *hd_map_put(&s->relevant, hd_op_key(op_at(s, i))) = 1;
    }
}

/* Accesses of two threads to the same bytes, one after the other, even if locks order them. */
static void collect_data(slicer *s, const uint32_t *past)
{
    for (uint32_t j = 0; j < s->run->op_count; j++) {
        const hd_op *op = op_at(s, j);
        if (!is_data(op) || !is_before(s, j, past) || (s->relevant.count && !hd_map_get(&s->relevant, hd_op_key(op))))
            continue;
        for (uint32_t i = s->before[j]; i != ~0u && !repeats(op, op_at(s, i)); i = s->before[i]) {
            const hd_op *other = op_at(s, i);
            if (other->thread == op->thread || !hd_ops_conflict(op, other))
                continue;
            hd_vec_push(&s->data, ((hd_report_order) { i, j, false }));
            if (hd_op_is_total(other) && !(op->mask & ~other->mask))
                break;
        }
    }
}

/* Where the critical section began that the entry ends. */
static uint32_t section_start(const slicer *s, uint32_t entry)
{
    for (uint32_t i = s->before[entry]; i != ~0u; i = s->before[i])
        if (op_at(s, i)->thread == op_at(s, entry)->thread && hd_report_lock_change(op_at(s, i)->kind) > 0)
            return i;
    return ~0u;
}

static uint32_t section_end(const slicer *s, uint32_t entry)
{
    uint32_t i = entry + 1;
    while (i < s->run->op_count
        && (op_at(s, i)->thread != op_at(s, entry)->thread || op_at(s, i)->object != op_at(s, entry)->object
            || hd_report_lock_change(op_at(s, i)->kind) >= 0))
        i++;
    return i;
}

/* A lock passes from one thread to another, and so do data inside of the two critical sections: as the sections exclude
 * each other, the order of the accesses implies that of the sections. */
static bool follows_from_data(const slicer *s, const hd_report_order *o)
{
    const hd_op *first = op_at(s, o->first), *second = op_at(s, o->second);
    if (hd_report_lock_change(first->kind) >= 0 || hd_report_lock_change(second->kind) <= 0)
        return false;
    uint32_t start = section_start(s, o->first), end = section_end(s, o->second);
    for (size_t i = 0; i < s->data.count && start != ~0u; i++) {
        const hd_report_order *d = &s->data.items[i];
        if (d->first > start && d->first < o->first && d->second > o->second && d->second < end
            && op_at(s, d->first)->thread == first->thread && op_at(s, d->second)->thread == second->thread)
            return true;
    }
    return false;
}

/* --- which steps --------------------------------------------------------------------------------- */

typedef enum slice_view { SHOW_DATA, SHOW_LOCKS } slice_view;

static void mark_both(bool *marks, const hd_report_order *o)
{
    marks[o->first] = marks[o->second] = true;
}

/* What passes between threads is shown by the data, and locks where there are none; or by the locks, with what the
 * threads of the finding themselves have read. Returns the number of steps. */
static uint32_t mark_orders(const slicer *s, slice_view view, bool *marks)
{
    uint32_t count = 0;
    for (size_t i = 0; i < s->reported->order_count; i++) {
        const hd_report_order *o = &s->reported->orders[i];
        if (!o->is_forced && !(view == SHOW_DATA && follows_from_data(s, o)))
            mark_both(marks, o);
    }
    for (size_t i = 0; i < s->data.count; i++)
        if (view == SHOW_DATA
            || (is_last(s, op_at(s, s->data.items[i].second)->thread)
                && hd_kind_looks(op_at(s, s->data.items[i].second)->kind)))
            mark_both(marks, &s->data.items[i]);
    for (uint32_t i = 0; i < s->run->op_count; i++)
        count += marks[i];
    return count;
}

static void mark_shorter(slicer *s, hd_arena *arena)
{
    enum { FEW = 16 };
    uint32_t count = s->run->op_count;
    bool *by_data = hd_arena_alloc(arena, count + 1), *by_locks = hd_arena_alloc(arena, count + 1);
    uint32_t data = mark_orders(s, SHOW_DATA, by_data), locks = mark_orders(s, SHOW_LOCKS, by_locks);
    bool is_by_data = data <= FEW || data <= locks;
    const bool *marks = is_by_data ? by_data : by_locks;
    for (size_t i = 0; i < s->reported->order_count && is_by_data; i++)
        s->reported->orders[i].is_forced |= follows_from_data(s, &s->reported->orders[i]);
    for (uint32_t i = 0; i < count; i++)
        s->reported->accesses[i].matters |= marks[i];
}

static bool is_continued(const slicer *s, uint32_t entry)
{
    return entry < s->run->op_count && op_at(s, entry)->flags & HD_OP_CONTINUES && hd_op_is_done(op_at(s, entry))
        && !hd_op_is_implied(op_at(s, entry));
}

/* A call that does two things at once, as a wait that also gives back a lock, is shown as a whole. */
static void mark_calls(const slicer *s)
{
    hd_report_access *accesses = s->reported->accesses;
    for (uint32_t i = 1; i < s->run->op_count; i++) {
        bool is_second = is_continued(s, i) && !is_continued(s, i - 1) && !is_continued(s, i + 1)
            && hd_op_is_done(op_at(s, i - 1)) && !(op_at(s, i)->flags & HD_OP_COMPOSED);
        if (is_second && (accesses[i].matters || accesses[i - 1].matters))
            accesses[i].matters = accesses[i - 1].matters = true;
    }
}

/* --- all together --------------------------------------------------------------------------------- */

/* A process that ends before its threads: each step of theirs depends on it (abi/wire.h, hd_process_runs). */
static bool ends_process(const hd_op *op)
{
    return hd_op_is_done(op) && !hd_op_is_implied(op) && hd_op_class(op->kind) == HD_OBJECT_ENDING;
}

/* One of several outcomes. A clock that shows the same time as before is nothing to tell. */
static bool is_chosen(const hd_op *op)
{
    return op->choices > 1 && (op->choice || !hd_report_is_clock(op));
}

/* Of those that happen before the finding. */
static void keep_orders(slicer *s, const uint32_t *past, hd_arena *arena)
{
    hd_report_finding *f = s->reported;
    f->orders = hd_arena_alloc(arena, (s->orders.count + 1) * sizeof *f->orders);
    for (size_t i = 0; i < s->orders.count; i++)
        if (is_before(s, s->orders.items[i].second, past))
            f->orders[f->order_count++] = s->orders.items[i];
}

static void mark(slicer *s, hd_arena *arena)
{
    goal g = { s, hd_alloc(&hd_heap, s->width * sizeof *g.past) };
    hd_report_access *accesses = s->reported->accesses;
    need_last_steps(&g);
    keep_orders(s, g.past, arena);
    collect_relevant(s, g.past);
    collect_data(s, g.past);
    mark_shorter(s, arena);
    for (uint32_t i = 0; i < s->run->op_count; i++)
        if ((is_chosen(op_at(s, i)) && is_before(s, i, g.past)) || ends_process(op_at(s, i)))
            accesses[i].matters = true;
    mark_calls(s);
    hd_release(&hd_heap, g.past, s->width * sizeof *g.past);
}

static uint32_t count_slots(const hd_recorded_run *run)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < run->op_count; i++)
        most = run->ops[i].op.thread > most ? run->ops[i].op.thread : most;
    for (uint32_t i = 0; i < run->thread_count; i++)
        most = run->threads[i].slot > most ? run->threads[i].slot : most;
    return most + 1;
}

void hd_report_slice(hd_report_finding *f, hd_arena *kept)
{
    const hd_recorded_run *run = &f->run;
    slicer s = { .reported = f, .run = run, .width = count_slots(run) };
    hd_arena arena;
    if ((uint64_t)s.width * (run->op_count + 1) > MOST_CLOCKS) {
        for (uint32_t i = 0; i < run->op_count; i++)
            f->accesses[i].matters = true;
        return;
    }
    hd_arena_init(&arena, &hd_heap);
    hd_map_init(&s.objects, &hd_heap);
    hd_map_init(&s.relevant, &hd_heap);
    s.clocks = hd_arena_alloc(&arena, (size_t)s.width * (run->op_count + 1) * sizeof *s.clocks);
    s.now = hd_arena_alloc(&arena, (size_t)s.width * s.width * sizeof *s.now);
    s.numbers = hd_arena_alloc(&arena, (run->op_count + 1) * sizeof *s.numbers);
    s.before = hd_arena_alloc(&arena, (run->op_count + 1) * sizeof *s.before);
    s.last = hd_arena_alloc(&arena, s.width * sizeof *s.last);
    memset(s.last, 0xff, s.width * sizeof *s.last);
    for (uint32_t i = 0; i < run->op_count; i++)
        add_entry(&s, i);
    mark(&s, kept);
    hd_vec_fini(&s.orders);
    hd_vec_fini(&s.data);
    hd_vec_fini(&s.open);
    hd_map_fini(&s.objects);
    hd_map_fini(&s.relevant);
    hd_arena_fini(&arena);
}
