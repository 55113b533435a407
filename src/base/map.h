/* A hash map from 64-bit keys to 64-bit values: open addressing with linear probing, at most two
 * thirds full. Single keys cannot be removed, so there are no tombstones. Key 0 is allowed. To
 * iterate, walk `slots` and skip the unused ones; the order is arbitrary. Open, because maps are parts of other
 * structures. */
#ifndef HD_BASE_MAP_H
#define HD_BASE_MAP_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct hd_map {
    struct hd_map_slot {
        uint64_t key, value;
        bool used;
    } * slots;
    size_t room, count;
    hd_memory *memory;
} hd_map;

void hd_map_init(hd_map *m, hd_memory *memory);
void hd_map_fini(hd_map *m);
void hd_map_clear(hd_map *m);

/* The value's address, or NULL; valid until the next put. */
uint64_t *hd_map_get(const hd_map *m, uint64_t key);

/* The value's address, after adding `key` with value 0 if it was missing. */
uint64_t *hd_map_put(hd_map *m, uint64_t key);

/* A bijection whose output bits all depend on all input bits; also for combining the parts of a key. */
uint64_t hd_hash(uint64_t x);
uint64_t hd_hash_bytes(const void *bytes, size_t size, uint64_t seed);

#endif
