/* Pages of the heap, and of its shadow, that an execution did not touch cost it nothing.
 *
 * The bytes. A page that was not written to is only read to see that: the kernel maps one page of zeros for all of
 * them. In a large part of which few pages are in memory, not even that: the kernel takes them back. Whether few are is
 * a question of speed alone, because a page that was swapped out counts as none; both ways leave zeros.
 *
 * The shadow of a large block of zeros, which is often a reservation: its whole pages are mapped afresh, as zeros,
 * which is to say that the bytes may be accessed, and are hidden again when the block is freed and when the heap is
 * reset. So behind the first such block of an arena nothing is mapped at the start of an execution. */
#include "runtime/reset/heap_internal.h"

#include "runtime/core/system.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum {
    PAGE = 4096,
    SHADOWED = 8 * PAGE /* bytes with one page of shadow */,
    CHUNK = 16 << 20,
    SMALLEST_CHUNK = 4 << 20
};

static int is_zero(const char *bytes, size_t size)
{
    return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

/* Pages that were written to are cleared together, which is faster. An empty memset in a page that was never written to
 * takes an assist of the processor, 16,000 of them 2 ms. */
static void clear_written(char *from, size_t size)
{
    enum { FEW = 16 * PAGE };
    size_t end = size < FEW ? size : FEW;
    for (size_t at = 0; at < size; end = at) {
        while (end < size && !is_zero(from + end, size - end < PAGE ? size - end : PAGE))
            end += PAGE;
        if (end > at)
            memset(from + at, 0, end < size ? end - at : size - at);
        at = end + PAGE;
    }
}

/* Are few of these whole pages in memory? */
static int is_hardly_used(char *from, size_t size)
{
    static unsigned char resident[CHUNK / PAGE];
    size_t pages = size / PAGE, count = 0;
    if (size < SMALLEST_CHUNK || hd_system(SYS_mincore, from, size, resident))
        return 0;
    for (size_t i = 0; i < pages; i++)
        count += resident[i] & 1u;
    return count < pages / 8;
}

void hd_heap_clear(char *from, size_t size)
{
    size_t head = -(uintptr_t)from % PAGE, at = head < size ? head : size;
    memset(from, 0, at);
    for (size_t chunk; at < size; at += chunk) {
        chunk = size - at < CHUNK ? size - at : CHUNK;
        size_t whole = chunk / PAGE * PAGE;
        int is_dropped =
            is_hardly_used(from + at, whole) && !hd_system(SYS_madvise, from + at, whole, (long)MADV_DONTNEED);
        size_t dropped = is_dropped ? whole : 0;
        clear_written(from + at + dropped, chunk - dropped);
    }
}

char *hd_heap_body(const hd_heap_block *b)
{
    return (char *)(((uintptr_t)(b + 1) + SHADOWED - 1) / SHADOWED * SHADOWED);
}

char *hd_heap_body_end(const hd_heap_block *b)
{
    return (char *)(((uintptr_t)(b + 1) + b->size) / SHADOWED * SHADOWED);
}

void hd_heap_hide_shadow(const char *from, const char *end)
{
    hd_system(SYS_mprotect, hd_shadow_of(from), (size_t)(end - from) / 8, (long)PROT_NONE);
}

void hd_heap_open_body(const hd_heap_block *b)
{
    int8_t *shadow = hd_shadow_of(hd_heap_body(b));
    size_t size = (size_t)(hd_heap_body_end(b) - hd_heap_body(b)) / 8;
    hd_system(SYS_mprotect, shadow, size, (long)(PROT_READ | PROT_WRITE));
    hd_system(SYS_madvise, shadow, size, (long)MADV_DONTNEED);
}
