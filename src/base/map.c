#include "base/map.h"

#include <string.h>

enum { FIRST_ROOM = 16 };

/* Xor-shift and multiply by an odd constant: each step is invertible. */
uint64_t hd_hash(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

uint64_t hd_hash_bytes(const void *bytes, size_t size, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t hash = seed ^ (size * 0x9e3779b97f4a7c15u);
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = hd_hash(hash ^ word);
    }
    uint64_t word = 0;
    memcpy(&word, p, size);
    return hd_hash(hash ^ word);
}

void hd_map_init(hd_map *m, hd_memory *memory)
{
    *m = (hd_map) { .memory = memory };
}

void hd_map_fini(hd_map *m)
{
    hd_release(m->memory, m->slots, m->room * sizeof *m->slots);
    m->slots = NULL;
    m->room = m->count = 0;
}

void hd_map_clear(hd_map *m)
{
    if (m->slots)
        memset(m->slots, 0, m->room * sizeof *m->slots);
    m->count = 0;
}

/* The slot of `key`, or the unused slot where it belongs. Terminates because the table is never full. */
static struct hd_map_slot *find(const hd_map *m, uint64_t key)
{
    size_t mask = m->room - 1;
    size_t i = hd_hash(key) & mask;
    while (m->slots[i].used && m->slots[i].key != key)
        i = (i + 1) & mask;
    return &m->slots[i];
}

uint64_t *hd_map_get(const hd_map *m, uint64_t key)
{
    if (!m->room)
        return NULL;
    struct hd_map_slot *slot = find(m, key);
    return slot->used ? &slot->value : NULL;
}

static void grow(hd_map *m)
{
    /* Doubling keeps the room a power of two, as the mask in find needs. */
    hd_map bigger = { .memory = m->memory, .room = m->room ? m->room * 2 : FIRST_ROOM, .count = m->count };
    bigger.slots = hd_alloc(m->memory, bigger.room * sizeof *bigger.slots);
    for (size_t i = 0; i < m->room; i++)
        if (m->slots[i].used)
            *find(&bigger, m->slots[i].key) = m->slots[i];
    hd_release(m->memory, m->slots, m->room * sizeof *m->slots);
    *m = bigger;
}

uint64_t *hd_map_put(hd_map *m, uint64_t key)
{
    /* Grow before the lookup: the address that is returned must be in the new table. */
    if ((m->count + 1) * 3 > m->room * 2)
        grow(m);
    struct hd_map_slot *slot = find(m, key);
    if (!slot->used) {
        *slot = (struct hd_map_slot) { .key = key, .used = true };
        m->count++;
    }
    return &slot->value;
}
