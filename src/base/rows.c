#include "base/rows.h"

#include <string.h>

void hd_rows_init(hd_rows *r, hd_memory *memory)
{
    *r = (hd_rows) { .words = { .memory = memory }, .starts = { .memory = memory } };
    hd_map_init(&r->index, memory);
    /* One more start than rows: the open row begins at the last one. */
    hd_vec_push(&r->starts, 0);
}

void hd_rows_fini(hd_rows *r)
{
    hd_vec_fini(&r->words);
    hd_vec_fini(&r->starts);
    hd_map_fini(&r->index);
}

void hd_rows_clear(hd_rows *r)
{
    hd_vec_clear(&r->words);
    r->starts.count = 1;
    hd_map_clear(&r->index);
}

uint32_t hd_rows_intern(hd_rows *r)
{
    uint64_t start = *hd_vec_last(&r->starts);
    size_t size = (r->words.count - start) * sizeof *r->words.items;
    uint64_t key = hd_hash_bytes(r->words.items + start, size, 1);
    /* A hash that is taken by a different row moves on to the next number, as in linear probing. */
    while (true) {
        uint64_t *known = hd_map_put(&r->index, key++);
        if (!*known) {
            hd_vec_push(&r->starts, r->words.count);
            *known = hd_rows_count(r);
            return hd_rows_count(r) - 1;
        }
        uint64_t from = r->starts.items[*known - 1], to = r->starts.items[*known];
        if ((to - from) * sizeof *r->words.items == size
            && !memcmp(r->words.items + from, r->words.items + start, size)) {
            /* Known: drop the copy. */
            r->words.count = start;
            return (uint32_t)*known - 1;
        }
    }
}
