#include "event/scan.h"

#include <string.h>

/* With few threads, loops over them are of a length that the compiler knows. */
enum { FIRST_ROOM = 256, FEW = 4 };

/* Sorts of memory accesses. */
enum { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, SORTS };

/* An object's words: `width` of each of these, then the mask of what was
 * released last. Objects that are not memory have clocks only. */
enum { NUMBERS = 0, MASKS = SORTS, RELEASED = MASKS + SORTS, COMMUTING, PARTS };

void hd_scan_init(hd_scan *s, hd_memory *memory)
{
    *s = (hd_scan) { .memory = memory, .words = { .memory = memory }, .width = FEW };
    s->clocks = hd_alloc(memory, HD_MAX_THREADS * HD_MAX_THREADS * sizeof *s->clocks);
}

void hd_scan_fini(hd_scan *s)
{
    hd_release(s->memory, s->slots, s->room * sizeof *s->slots);
    hd_release(s->memory, s->clocks, HD_MAX_THREADS * HD_MAX_THREADS * sizeof *s->clocks);
    hd_vec_fini(&s->words);
}

static inline void join(uint32_t *into, const uint32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        into[i] = into[i] > from[i] ? into[i] : from[i];
}

/* --- objects -------------------------------------------------------------------- */

static hd_scan_slot *find(const hd_scan *s, uint64_t key)
{
    uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (s->room - 1);
    while (s->slots[i].turn == s->turn && s->slots[i].key != key)
        i = (i + 1) & (s->room - 1);
    return &s->slots[i];
}

static void grow(hd_scan *s)
{
    hd_scan bigger = *s;
    bigger.room = s->room ? 2 * s->room : FIRST_ROOM;
    bigger.slots = hd_alloc(s->memory, bigger.room * sizeof *bigger.slots);
    for (uint32_t i = 0; i < s->room; i++)
        if (s->slots[i].turn == s->turn)
            *find(&bigger, s->slots[i].key) = s->slots[i];
    hd_release(s->memory, s->slots, s->room * sizeof *s->slots);
    *s = bigger;
}

static uint32_t *words_of(hd_scan *s, const hd_op *op)
{
    uint64_t key = hd_op_key(op);
    if (2 * s->used >= s->room)
        grow(s);
    hd_scan_slot *slot = find(s, key);
    if (slot->turn != s->turn) {
        uint32_t count = PARTS * s->width + 1;
        *slot = (hd_scan_slot) { key, s->turn, (uint32_t)s->words.count };
        s->used++;
        hd_vec_reserve(&s->words, count);
        memset(s->words.items + s->words.count, 0, count * sizeof *s->words.items);
        s->words.count += count;
    }
    return s->words.items + slot->words;
}

/* --- memory ----------------------------------------------------------------------- */

static uint32_t sort_of(uint8_t kind)
{
    switch (kind) {
    case HD_READ:
        return PLAIN_READ;
    case HD_WRITE:
        return PLAIN_WRITE;
    case HD_LOAD:
    case HD_RMW_SAME:
        return ATOMIC_READ;
    default:
        return ATOMIC_WRITE;
    }
}

/* Has another thread made an access of this sort, to the same bytes, that the
 * clock does not know of? */
static inline bool is_behind(const uint32_t *words, uint32_t sort, uint32_t mask, const uint32_t *clock, uint32_t width)
{
    const uint32_t *numbers = words + (NUMBERS + sort) * width, *masks = words + (MASKS + sort) * width;
    uint32_t behind = 0;
    for (uint32_t u = 0; u < width; u++)
        behind |= numbers[u] > clock[u] ? masks[u] : 0;
    return behind & mask;
}

/* Of two accesses one of which is plain, one a write. */
static inline bool races(const uint32_t *words, uint32_t sort, uint32_t mask, const uint32_t *clock, uint32_t width)
{
    bool writes = sort == PLAIN_WRITE || sort == ATOMIC_WRITE, plain = sort == PLAIN_READ || sort == PLAIN_WRITE;
    return is_behind(words, PLAIN_WRITE, mask, clock, width)
        || (plain && is_behind(words, ATOMIC_WRITE, mask, clock, width))
        || (writes && is_behind(words, PLAIN_READ, mask, clock, width))
        || (writes && plain && is_behind(words, ATOMIC_READ, mask, clock, width));
}

static inline bool touch(const hd_op *op, uint32_t *words, uint32_t *clock, uint32_t width)
{
    uint32_t sort = sort_of(op->kind);
    uint32_t *released = words + RELEASED * width, *mask = words + PARTS * width;
    if (sort >= ATOMIC_READ && op->kind != HD_STORE && (*mask & op->mask))
        join(clock, released, width);
    if (races(words, sort, op->mask, clock, width))
        return true;
    words[(NUMBERS + sort) * width + op->thread] = clock[op->thread];
    words[(MASKS + sort) * width + op->thread] |= op->mask;
    if (sort == ATOMIC_WRITE) {
        memcpy(released, clock, width * sizeof *clock);
        *mask = op->mask;
    } else if (sort == PLAIN_WRITE) {
        *mask &= ~(uint32_t)op->mask;
    }
    return false;
}

/* --- synchronisation ---------------------------------------------------------------- */

static inline void synchronise(const hd_op *op, uint32_t *words, uint32_t *clock, uint32_t width)
{
    uint32_t *released = words + RELEASED * width, *commuting = words + COMMUTING * width;
    if (hd_kind_looks(op->kind)) {
        if (op->kind == HD_ONCE_DONE || op->kind == HD_THREAD_POLL)
            join(clock, released, width);
        return;
    }
    join(clock, released, width);
    if (!hd_kind_is_total(op->kind)) {
        join(commuting, clock, width);
        return;
    }
    join(clock, commuting, width);
    memcpy(released, clock, width * sizeof *clock);
    memset(commuting, 0, width * sizeof *clock);
}

static void begin(hd_scan *s, const hd_execution *e)
{
    while (s->width < e->thread_count)
        s->width *= 2;
    memset(s->clocks, 0, e->thread_count * s->width * sizeof *s->clocks);
    hd_vec_clear(&s->words);
    s->used = 0;
    s->turn++;
    if (s->turn == 0) { /* all slots look free again */
        memset(s->slots, 0, s->room * sizeof *s->slots);
        s->turn = 1;
    }
}

static inline bool scan(hd_scan *s, const hd_execution *e, uint32_t width)
{
    for (uint32_t i = 0; i < e->log_count; i++) {
        const hd_op *op = &e->log[i];
        uint32_t *clock = s->clocks + (size_t)op->thread * width;
        if (op->kind == HD_EDGE) {
            join(clock, s->clocks + op->object * width, width);
            continue;
        }
        if (op->flags & HD_OP_WITHDRAWN)
            continue;
        clock[op->thread] += !(op->flags & HD_OP_CONTINUES);
        hd_object_class class = hd_op_class(op->kind);
        if (class == HD_OBJECT_NONE || class == HD_OBJECT_PROCESS)
            continue;
        uint32_t *words = words_of(s, op);
        if (class != HD_OBJECT_MEMORY)
            synchronise(op, words, clock, width);
        else if (touch(op, words, clock, width))
            return true;
    }
    return false;
}

bool hd_scan_may_race(hd_scan *s, const hd_execution *e)
{
    begin(s, e);
    return s->width == FEW ? scan(s, e, FEW) : scan(s, e, s->width);
}
