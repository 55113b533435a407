/* A hash table of numbers with open addressing. Nothing is ever removed from it. */
#include "unfold/unfold_internal.h"

enum { FIRST_ROOM = 64 };

void hd_hash_index_fini(hd_hash_index *x, hd_memory *memory)
{
    hd_release(memory, x->slots, x->room * sizeof *x->slots);
    hd_release(memory, x->tags, x->room);
    *x = (hd_hash_index) { 0 };
}

static void put(hd_hash_index *x, uint64_t hash, uint32_t number)
{
    size_t i = hash & (x->room - 1);
    while (x->tags[i])
        i = (i + 1) & (x->room - 1);
    x->slots[i] = number;
    x->tags[i] = hd_hash_index_tag(hash);
}

void hd_hash_index_add(hd_hash_index *x, hd_memory *memory, uint64_t hash, uint32_t number,
    uint64_t (*hash_of)(const hd_unfolding *, uint32_t), const hd_unfolding *u)
{
    if (4 * x->count >= 3 * x->room) {
        hd_hash_index old = *x;
        x->room = old.room ? 2 * old.room : FIRST_ROOM;
        x->slots = hd_alloc(memory, x->room * sizeof *x->slots);
        x->tags = hd_alloc(memory, x->room);
        for (size_t i = 0; i < old.room; i++)
            if (old.tags[i])
                put(x, hash_of(u, old.slots[i]), old.slots[i]);
        hd_hash_index_fini(&old, memory);
    }
    put(x, hash, number);
    x->count++;
}
