/* A hash table with open addressing: insert and look up. */
#include "kernels.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 15, KEYS = 20000 };

typedef struct slot {
    uint32_t key, value;
} slot;

static slot *find(slot *slots, uint32_t key)
{
    uint32_t i = key * 2654435761u >> 17;
    while (slots[i].key && slots[i].key != key)
        i = (i + 1) % SLOTS;
    return &slots[i];
}

uint64_t kernel_hash(uint32_t rounds)
{
    slot *slots = malloc(SLOTS * sizeof *slots);
    uint64_t sum = 0;
    for (uint32_t r = 0; r < rounds; r++) {
        uint32_t state = r + 1;
        memset(slots, 0, SLOTS * sizeof *slots);
        for (uint32_t i = 0; i < KEYS; i++) {
            slot *s = find(slots, next_random(&state) | 1);
            s->key = state | 1;
            s->value += i;
        }
        state = r + 1;
        for (uint32_t i = 0; i < KEYS; i++)
            sum += find(slots, next_random(&state) | 1)->value;
    }
    free(slots);
    return sum;
}
