#include "base/rng.h"

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

void hd_rng_seed(hd_rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->state[i] = splitmix(&seed);
}

uint64_t hd_rng_next(hd_rng *r)
{
    uint64_t *s = r->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t hd_rng_below(hd_rng *r, uint64_t n)
{
    /* Lemire's multiplication instead of a remainder. Without his rejection step the bias is at
     * most n / 2^64. */
    return (uint64_t)(((unsigned __int128)hd_rng_next(r) * n) >> 64);
}
