#include "runtime/reset/heap_internal.h"

/* Blocks that are freed: how many there are in the arenas, and how many the lists contain. */
typedef struct census {
    uint64_t freed, listed;
    uint64_t blocks; /* of all kinds: no list is longer */
} census;

static int shadow_is(const char *from, const char *to, int8_t value)
{
    for (const char *at = from; at < to; at += 8)
        if (*hd_shadow_of(at) != value)
            return 0;
    return 1;
}

static int shadow_agrees(const hd_heap_block *b)
{
    const char *start = (const char *)(b + 1), *end = (const char *)b + b->span;
    size_t allowed = b->magic == HD_BLOCK_LIVE ? b->size : 0;
    const char *whole = start + allowed / 8 * 8, *closed = start + (allowed + 7) / 8 * 8;
    return shadow_is((const char *)b, start, -1) && shadow_is(start, whole, 0)
        && shadow_is(whole, closed, (int8_t)(allowed % 8)) && shadow_is(closed, end, -1);
}

static int is_block(const hd_heap_block *b)
{
    return b->magic == HD_BLOCK_LIVE || b->magic == HD_BLOCK_FREED;
}

static int block_is_valid(const hd_heap_block *b, const char *end)
{
    return b->span % 16 == 0 && b->span <= (size_t)(end - (const char *)b) && b->span >= sizeof *b + b->size + 16
        && hd_identity_slot(b->allocator) < HD_MAX_THREADS && shadow_agrees(b);
}

/* The 16 bytes before an aligned block: nothing has written there since the heap was reset. */
static int is_gap(const char *at)
{
    const uint64_t *words = (const uint64_t *)at;
    return !words[0] && !words[1] && shadow_is(at, at + 16, -1);
}

static int arena_is_valid(uint32_t i, census *c)
{
    const char *at = hd_heap_base_of(i), *end = hd_heap_arenas[i].next;
    if (end < at || end > at + HD_HEAP_ARENA || end > hd_heap_opened[i])
        return 0;
    while (at < end) {
        const hd_heap_block *b = (const hd_heap_block *)at;
        if (!(is_block(b) ? block_is_valid(b, end) : is_gap(at)))
            return 0;
        at += is_block(b) ? b->span : 16;
        c->blocks += (uint64_t)is_block(b);
        c->freed += b->magic == HD_BLOCK_FREED;
    }
    return 1;
}

static int is_freed(const hd_heap_block *b)
{
    return hd_heap_holds(b) && !((uintptr_t)b & 15) && b->magic == HD_BLOCK_FREED;
}

static int quarantine_is_valid(const hd_heap_arena *a, census *c)
{
    const hd_heap_block *last = NULL;
    uint64_t left = c->blocks;
    size_t bytes = 0;
    for (const hd_heap_block *b = a->oldest; b; last = b, b = b->next_freed) {
        if (left-- == 0 || !is_freed(b))
            return 0;
        bytes += b->span;
        c->listed++;
    }
    return last == a->newest && bytes == a->quarantined && (bytes <= HD_HEAP_QUARANTINE || a->oldest == a->newest);
}

static int class_is_valid(const hd_heap_arena *a, size_t class, census *c)
{
    uint64_t left = c->blocks;
    for (const hd_heap_block *b = a->reusable[class]; b; b = b->next_freed) {
        if (left-- == 0 || !is_freed(b) || hd_heap_class(b->span) != class)
            return 0;
        c->listed++;
    }
    return 1;
}

/* The arenas come first: the lists point to blocks that must be sound, and the census bounds their lengths. */
int hd_heap_is_valid(void)
{
    census c = { 0 };
    for (uint32_t i = 0; i < hd_heap_arena_count(); i++)
        if (!arena_is_valid(i, &c))
            return 0;
    for (uint32_t i = 0; i < hd_heap_arena_count(); i++) {
        if (!quarantine_is_valid(&hd_heap_arenas[i], &c))
            return 0;
        for (size_t class = 0; class < HD_HEAP_CLASSES; class ++)
            if (!class_is_valid(&hd_heap_arenas[i], class, &c))
                return 0;
    }
    return c.freed == c.listed;
}

uint64_t hd_heap_cost_of_check(void)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; i < hd_heap_arena_count(); i++)
        cells += (uint64_t)(hd_heap_arenas[i].next - hd_heap_base_of(i)) / 8;
    return cells;
}
