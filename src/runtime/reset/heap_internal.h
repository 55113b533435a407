/* The inside of the heap, for its own files and for the test that breaks it. */
#ifndef HD_RUNTIME_RESET_HEAP_INTERNAL_H
#define HD_RUNTIME_RESET_HEAP_INTERNAL_H

#include "runtime/core/state.h"
#include "runtime/reset/heap.h"

/* A block: header, then the program's bytes, then at least one cell that may not be accessed (the next header), so
 * that overflows are found. */
typedef struct hd_heap_block {
    uint64_t magic;
    size_t size; /* as asked for */
    size_t span; /* header included, a multiple of 16 */
    const hd_site *allocated, *freed;
    uint32_t allocator, freer; /* identities of threads (abi/lives.h) */
    struct hd_heap_block *next_freed;
    uint32_t is_shared; /* its bytes belong to no process */
    uint8_t is_large; /* a large block of zeros: its shadow is mapped afresh (heap_pages.c) */
    uint8_t is_of_file; /* a private copy of a file */
    uint8_t reused; /* another block had its bytes before, in this run */
} hd_heap_block;

enum { HD_BLOCK_LIVE = 0x5eedb10c, HD_BLOCK_FREED = 0xdeadb10c };

enum { HD_HEAP_LARGE = 256 << 20 }; /* bytes of a block of zeros whose pages are mostly never touched */

enum { HD_HEAP_QUARANTINE = 8 << 20, HD_HEAP_SMALL_CLASSES = 64, HD_HEAP_CLASS_STEP = 64, HD_HEAP_CLASSES = 96 };

/* Freed blocks are kept by size: small ones in steps of HD_HEAP_CLASS_STEP, larger ones by powers of two. */
static inline size_t hd_heap_class(size_t span)
{
    enum { SMALL = HD_HEAP_SMALL_CLASSES * HD_HEAP_CLASS_STEP };
    if (span < SMALL)
        return span / HD_HEAP_CLASS_STEP;
    return HD_HEAP_SMALL_CLASSES + (size_t)(__builtin_clzll(SMALL) - __builtin_clzll(span));
}

/* A thread's lists contain the blocks that it has freed, of whichever arena. */
typedef struct hd_heap_arena {
    char *next;
    hd_heap_block *oldest, *newest; /* freed and in quarantine */
    size_t quarantined; /* bytes */
    char *first_body; /* of its large blocks; NULL: there is none */
    hd_heap_block *reusable[HD_HEAP_CLASSES]; /* out of quarantine, by hd_heap_class */
} hd_heap_arena;

extern hd_heap_arena hd_heap_arenas[HD_MAX_THREADS];

/* The end of the part of each arena whose shadow is mapped. */
extern char *hd_heap_opened[HD_MAX_THREADS];

static inline char *hd_heap_base_of(uint32_t thread)
{
    return (char *)HD_HEAP_BASE + thread * HD_HEAP_ARENA;
}

/* The bytes of a large block whose shadow is whole pages. */
char *hd_heap_body(const hd_heap_block *b);
char *hd_heap_body_end(const hd_heap_block *b);

/* Allows all bytes of the body. */
void hd_heap_open_body(const hd_heap_block *b);

/* Forbids all bytes between bounds whose shadow begins a page. */
void hd_heap_hide_shadow(const char *from, const char *end);

/* The arenas from this number on are empty. */
static inline uint32_t hd_heap_arena_count(void)
{
    return *hd_rt.thread_count ? *hd_rt.thread_count : 1;
}

#endif
