/* Random numbers that are the same on every machine for the same seed
 * (xoshiro256**, seeded by splitmix64). */
#ifndef HD_BASE_RNG_H
#define HD_BASE_RNG_H

#include <stdint.h>

typedef struct hd_rng {
    uint64_t state[4];
} hd_rng;

void hd_rng_seed(hd_rng *r, uint64_t seed);
uint64_t hd_rng_next(hd_rng *r);

/* Uniform in [0, n); n > 0. */
uint64_t hd_rng_below(hd_rng *r, uint64_t n);

#endif
