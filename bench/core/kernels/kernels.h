/* Work for one thread, of kinds that programs are made of. Each kernel does
 * `rounds` rounds on memory of its own and gives a number that depends on all
 * of it. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdint.h>

typedef uint64_t kernel(uint32_t rounds);

kernel kernel_sort, kernel_hash, kernel_matrix, kernel_interpreter, kernel_list, kernel_text;

/* A small generator, the same everywhere. */
static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#endif
