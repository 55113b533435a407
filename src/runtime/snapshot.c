#include "runtime/snapshot.h"

#include "runtime/constructors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_RANGES = 256, PAGE = 4096, COPY_BELOW = 256 * 1024 };

typedef struct range {
    char *start;
    size_t size;
    char *saved;
    /* The whole pages inside a large range are protected; what is left at its
     * two ends is copied. */
    char *pages;
    size_t page_count;
    uint8_t *dirty;
} range;

static range ranges[MAX_RANGES];
static size_t range_count;
static int saved;

static void add(char *start, char *stop)
{
    if (!start || stop <= start)
        return;
    if (range_count == MAX_RANGES) {
        fprintf(stderr, "heddle: more than %d modules\n", MAX_RANGES / 2);
        exit(2);
    }
    ranges[range_count++] = (range) { .start = start, .size = (size_t)(stop - start) };
}

/* Called by a constructor in every executable and shared library. */
__attribute__((visibility("default"))) void hd_register_module(void *data_start, void *data_stop, void *bss_start,
    void *bss_stop, const hd_init *init_start, const hd_init *init_stop)
{
    for (size_t i = 0; i < range_count; i++)
        if (ranges[i].start == data_start || ranges[i].start == bss_start)
            return;
    add(data_start, data_stop);
    add(bss_start, bss_stop);
    hd_constructors_add(init_start, init_stop);
}

static void protect(range *r)
{
    uintptr_t first = ((uintptr_t)r->start + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t last = ((uintptr_t)r->start + r->size) & ~(uintptr_t)(PAGE - 1);
    r->pages = (char *)first;
    r->page_count = (last - first) / PAGE;
    r->dirty = calloc(r->page_count, 1);
    mprotect(r->pages, r->page_count * PAGE, PROT_READ);
}

void hd_snapshot_save(void)
{
    for (size_t i = 0; i < range_count; i++) {
        range *r = &ranges[i];
        r->saved = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (r->saved == MAP_FAILED) {
            perror("heddle: cannot save the program's global variables");
            exit(2);
        }
        memcpy(r->saved, r->start, r->size);
        if (r->size >= COPY_BELOW)
            protect(r);
    }
    saved = 1;
}

static void restore_pages(range *r)
{
    for (size_t i = 0; i < r->page_count; i++)
        if (r->dirty[i]) {
            char *page = r->pages + i * PAGE;
            memcpy(page, r->saved + (page - r->start), PAGE);
            r->dirty[i] = 0;
            mprotect(page, PAGE, PROT_READ);
        }
    char *end = r->pages + r->page_count * PAGE;
    memcpy(r->start, r->saved, (size_t)(r->pages - r->start));
    memcpy(end, r->saved + (end - r->start), (size_t)(r->start + r->size - end));
}

void hd_snapshot_restore(void)
{
    if (!saved)
        return;
    for (size_t i = 0; i < range_count; i++) {
        range *r = &ranges[i];
        if (r->pages)
            restore_pages(r);
        else
            memcpy(r->start, r->saved, r->size);
    }
}

int hd_snapshot_holds(uint64_t address)
{
    for (size_t i = 0; i < range_count; i++)
        if (address - (uint64_t)ranges[i].start < ranges[i].size)
            return 1;
    return 0;
}

uint64_t hd_snapshot_hash(void)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < range_count; i++)
        for (size_t k = 0; k < ranges[i].size; k++) {
            hash = (hash ^ (uint8_t)ranges[i].start[k]) * 0x100000001b3u;
            hash ^= hash >> 29;
        }
    return hash;
}

int hd_snapshot_fault(uint64_t address)
{
    for (size_t i = 0; i < range_count; i++) {
        range *r = &ranges[i];
        uint64_t offset = address - (uint64_t)r->pages;
        if (!r->pages || offset >= r->page_count * PAGE)
            continue;
        size_t page = offset / PAGE;
        if (r->dirty[page])
            return 0;
        r->dirty[page] = 1;
        return mprotect(r->pages + page * PAGE, PAGE, PROT_READ | PROT_WRITE) == 0;
    }
    return 0;
}
