#include "event/scan.h"

#include "base/vec.h"
#include "event/op.h"

#include <string.h>

/* With up to FEW threads, loops over threads have a constant length. */
enum { FIRST_ROOM = 256, FEW = 4 };

/* Four threads at once. */
typedef int32_t lanes __attribute__((vector_size(16), aligned(4)));
enum { LANES = 4 };

/* Sorts of memory accesses. */
enum { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, SORTS };

/* The words of an object: these three, then `width` words for each of the parts. Objects other than memory use only the
 * clocks.
 *
 * An ACCESSED word of a thread contains the number of its last access of the sort and, in the lowest NUMBER_SHIFT bits,
 * the bytes of all of them. In the words of a clock all those bits are set, so an access is in the clock's past iff its
 * word is not greater.
 *
 * Invariant: every access so far is the owner's last one, whose word is LAST, or happens before it. So an access that
 * happens after that one races with nothing. */
enum { OWNER, LAST, RELEASED_MASK, HEADER = LANES };
enum { ACCESSED = 0, RELEASED = SORTS, COMMUTING, PARTS };
enum { NOBODY = -1, NUMBER_SHIFT = 8, BYTES = (1 << NUMBER_SHIFT) - 1 };

_Static_assert(HD_LOG_ROOM < INT32_MAX >> NUMBER_SHIFT, "a number and the bytes fit a word");

/* The index of an object's words; valid if `turn` is that of the current execution. */
typedef struct scan_slot {
    uint64_t key;
    uint32_t turn, words;
} scan_slot;

struct hd_scan {
    hd_memory *memory;
    scan_slot *slots; /* open addressing */
    uint32_t room, used, turn;
    hd_vec(int32_t) words; /* of all objects */
    int32_t *clocks; /* of `width` threads, `width` entries each */
    uint32_t width;
};

static inline int32_t *part(int32_t *words, uint32_t which, uint32_t width)
{
    return words + HEADER + which * width;
}

static inline lanes *at(int32_t *words, uint32_t first)
{
    return (lanes *)(words + first);
}

static inline void join(int32_t *into, int32_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += LANES) {
        lanes a = *at(into, i), b = *at(from, i), greater = a > b;
        *at(into, i) = (a & greater) | (b & ~greater);
    }
}

/* --- objects -------------------------------------------------------------------- */

static inline scan_slot *find(const hd_scan *s, uint64_t key)
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

hd_scan *hd_scan_open(hd_memory *memory)
{
    hd_scan *s = hd_alloc(memory, sizeof *s);
    *s = (hd_scan) { .memory = memory, .words = { .memory = memory }, .width = FEW };
    s->clocks = hd_alloc(memory, FEW * FEW * sizeof *s->clocks);
    grow(s);
    return s;
}

void hd_scan_close(hd_scan *s)
{
    hd_release(s->memory, s->slots, s->room * sizeof *s->slots);
    hd_release(s->memory, s->clocks, s->width * s->width * sizeof *s->clocks);
    hd_vec_fini(&s->words);
    hd_release(s->memory, s, sizeof *s);
}

static __attribute__((noinline)) int32_t *add_object(hd_scan *s, uint64_t key, uint32_t thread)
{
    uint32_t count = HEADER + PARTS * s->width;
    if (2 * s->used++ >= s->room)
        grow(s);
    *find(s, key) = (scan_slot) { key, s->turn, (uint32_t)s->words.count };
    hd_vec_reserve(&s->words, count);
    int32_t *words = s->words.items + s->words.count;
    s->words.count += count;
    memset(words, 0, count * sizeof *words);
    words[OWNER] = (int32_t)thread;
    return words;
}

static inline int32_t *words_of(hd_scan *s, const hd_op *op, hd_object_class class)
{
    const scan_slot *slot = find(s, op->object ^ (uint64_t) class << 56);
    return slot->turn == s->turn ? s->words.items + slot->words : add_object(s, hd_op_key(op), op->thread);
}

/* --- memory ----------------------------------------------------------------------- */

static inline uint32_t sort_of(uint8_t kind)
{
    return (hd_kind_is_plain(kind) ? PLAIN_READ : ATOMIC_READ) + !hd_kind_looks(kind);
}

/* The accesses of this sort that are not in the past of the clock, as a union of their words. */
static inline lanes behind(int32_t *words, uint32_t sort, int32_t *clock, uint32_t width)
{
    lanes all = { 0 };
    for (uint32_t i = 0; i < width; i += LANES) {
        lanes accessed = *at(part(words, ACCESSED + sort, width), i);
        all |= accessed & (accessed > *at(clock, i));
    }
    return all;
}

/* Does the access race with an earlier one? Two accesses race if one of them is plain and one of them a write. If all
 * earlier accesses are in the thread's past, it becomes the owner. */
static bool races(int32_t *words, uint32_t sort, const hd_op *op, int32_t *clock, uint32_t width)
{
    lanes none = { 0 }, reads = behind(words, PLAIN_READ, clock, width),
          writes = behind(words, PLAIN_WRITE, clock, width);
    lanes looks = behind(words, ATOMIC_READ, clock, width), updates = behind(words, ATOMIC_WRITE, clock, width);
    bool changes = sort == PLAIN_WRITE || sort == ATOMIC_WRITE, plain = sort == PLAIN_READ || sort == PLAIN_WRITE;
    lanes any = reads | writes | looks | updates;
    lanes racing = writes | (changes ? reads : none) | (plain ? updates : none) | (plain && changes ? looks : none);
    words[OWNER] = any[0] | any[1] | any[2] | any[3] ? NOBODY : op->thread;
    return (racing[0] | racing[1] | racing[2] | racing[3]) & op->mask;
}

static inline void note_access(int32_t *words, uint32_t sort, const hd_op *op, const int32_t *clock, uint32_t width)
{
    int32_t *accessed = part(words, ACCESSED + sort, width) + op->thread;
    int32_t number = clock[op->thread] & ~BYTES;
    words[LAST] = number;
    *accessed = number | (*accessed & BYTES) | op->mask;
}

static bool touch_atomically(const hd_op *op, int32_t *words, int32_t *clock, uint32_t width)
{
    uint32_t sort = sort_of(op->kind);
    int32_t *released = part(words, RELEASED, width);
    if (hd_kind_acquires(op->kind) && (words[RELEASED_MASK] & op->mask))
        join(clock, released, width);
    if (races(words, sort, op, clock, width))
        return true;
    note_access(words, sort, op, clock, width);
    if (sort == ATOMIC_WRITE) {
        memcpy(released, clock, width * sizeof *clock);
        words[RELEASED_MASK] = op->mask;
    }
    return false;
}

static inline bool touch(const hd_op *op, int32_t *words, int32_t *clock, uint32_t width)
{
    uint32_t sort = sort_of(op->kind);
    int32_t owner = words[OWNER];
    if (sort >= ATOMIC_READ)
        return touch_atomically(op, words, clock, width);
    if (owner != NOBODY && (owner == op->thread || words[LAST] <= clock[owner]))
        words[OWNER] = op->thread;
    else if (races(words, sort, op, clock, width))
        return true;
    note_access(words, sort, op, clock, width);
    if (sort == PLAIN_WRITE)
        words[RELEASED_MASK] &= ~op->mask;
    return false;
}

/* --- synchronisation ---------------------------------------------------------------- */

static inline void synchronise(const hd_op *op, int32_t *words, int32_t *clock, uint32_t width)
{
    int32_t *released = part(words, RELEASED, width), *commuting = part(words, COMMUTING, width);
    bool looks = hd_kind_looks(op->kind), total = hd_kind_is_total(op->kind);
    if (hd_kind_acquires(op->kind)) {
        join(clock, released, width);
        if (looks || total)
            join(clock, commuting, width);
    }
    if (looks)
        return;
    if (!total) {
        if (hd_kind_releases(op->kind))
            join(commuting, clock, width);
        return;
    }
    /* Later operations are ordered after the last total operation, which stands for those before it. */
    if (hd_kind_releases(op->kind))
        memcpy(released, clock, width * sizeof *clock);
    else
        memset(released, 0, width * sizeof *clock);
    memset(commuting, 0, width * sizeof *clock);
}

/* A token is an object of its own, which its post releases. The key is that of no other object: those have the highest
 * bit clear. */
static int32_t *released_with(hd_scan *s, uint32_t semaphore, const hd_op *op)
{
    uint64_t key = 1ull << 63 | (uint64_t)semaphore << 32 | hd_op_token(op);
    const scan_slot *slot = find(s, key);
    return part(
        slot->turn == s->turn ? s->words.items + slot->words : add_object(s, key, op->thread), RELEASED, s->width);
}

/* A wait is ordered after the wait before it and after the post of its token. That a post is ordered after the waits
 * that took greater tokens is left out. */
static void synchronise_by_token(hd_scan *s, const hd_op *op, int32_t *clock)
{
    uint32_t width = s->width, semaphore = (uint32_t)(words_of(s, op, hd_op_class(op->kind)) - s->words.items);
    int32_t *of_token = released_with(s, semaphore, op), *words = s->words.items + semaphore;
    int32_t *released = part(words, RELEASED, width);
    if (hd_kinds[op->kind].adds > 0) {
        memcpy(of_token, clock, width * sizeof *clock);
        join(part(words, COMMUTING, width), clock, width);
        return;
    }
    join(clock, of_token, width);
    join(clock, released, width);
    memcpy(released, clock, width * sizeof *clock);
}

static void widen(hd_scan *s, uint32_t threads)
{
    hd_release(s->memory, s->clocks, s->width * s->width * sizeof *s->clocks);
    while (s->width < threads)
        s->width *= 2;
    s->clocks = hd_alloc(s->memory, s->width * s->width * sizeof *s->clocks);
}

static void begin(hd_scan *s, const hd_execution *e)
{
    if (s->width < e->thread_count)
        widen(s, e->thread_count);
    for (uint32_t i = 0; i < e->thread_count * s->width; i++)
        s->clocks[i] = BYTES;
    hd_vec_clear(&s->words);
    s->used = 0;
    s->turn++;
    if (s->turn == 0) { /* overflow: old slots would look valid */
        memset(s->slots, 0, s->room * sizeof *s->slots);
        s->turn = 1;
    }
}

static inline __attribute__((always_inline)) bool scan(hd_scan *s, const hd_execution *e, uint32_t width)
{
    for (const hd_op *op = e->log, *end = op + e->log_count; op < end; op++) {
        int32_t *clock = s->clocks + (size_t)op->thread * width;
        if (op->kind == HD_EDGE) {
            join(clock, s->clocks + op->object * width, width);
            continue;
        }
        if (op->flags & HD_OP_WITHDRAWN)
            continue;
        clock[op->thread] += op->flags & HD_OP_CONTINUES ? 0 : 1 << NUMBER_SHIFT;
        hd_object_class class = hd_op_class(op->kind);
        if (class == HD_OBJECT_MEMORY) {
            if (touch(op, words_of(s, op, HD_OBJECT_MEMORY), clock, width))
                return true;
        } else if (class != HD_OBJECT_NONE && class != HD_OBJECT_PROCESS) {
            if (hd_op_token(op))
                synchronise_by_token(s, op, clock);
            else if (!hd_op_has_stretch(op)) /* which data is taken is left out: no order is assumed */
                synchronise(op, words_of(s, op, class), clock, width);
        }
    }
    return false;
}

bool hd_scan_may_race(hd_scan *s, const hd_execution *e)
{
    begin(s, e);
    return s->width == FEW ? scan(s, e, FEW) : scan(s, e, s->width);
}
