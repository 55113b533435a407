#include "runtime/image/snapshot.h"

#include "runtime/image/constructors.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_RANGES = 256, COPY_BELOW = 256 * 1024 };

typedef struct range {
    char *start;
    size_t size;
} range;

static range ranges[MAX_RANGES];
static size_t range_count;

static void add(char *start, char *stop)
{
    if (!start || stop <= start)
        return;
    if (range_count == MAX_RANGES) {
        fprintf(stderr, "heddle: more than %d modules\n", MAX_RANGES / 2);
        exit(2);
    }
    ranges[range_count++] = (range) { start, (size_t)(stop - start) };
}

/* Called by a constructor in every executable and shared library that heddle compiled; a second registration of the
 * same sections is ignored. */
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

void hd_snapshot_each(void (*visit)(char *start, size_t size))
{
    for (size_t i = 0; i < range_count; i++)
        if (ranges[i].size < COPY_BELOW)
            visit(ranges[i].start, ranges[i].size);
}

void hd_snapshot_each_of_any_size(void (*visit)(char *start, size_t size))
{
    for (size_t i = 0; i < range_count; i++)
        visit(ranges[i].start, ranges[i].size);
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
