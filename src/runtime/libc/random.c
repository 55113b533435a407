/* Random numbers, the same in every run. Every thread has its own sequence, with the same seed: its numbers do not
 * depend on other threads. srand, srandom and srand48 seed the caller's sequence. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t next(void)
{
    hd_effect();
    return draw(&hd_current->random);
}

static void seed(uint64_t s)
{
    hd_effect();
    hd_current->random = s == 1 ? 0 : s; /* without a seed, the sequence is that of seed 1 */
}

HD_FACE int hd_rand(void)
{
    return (int)(next() >> 33);
}

HD_FACE long hd_random(void)
{
    return (long)(next() >> 33);
}

HD_FACE long hd_lrand48(void)
{
    return (long)(next() >> 33);
}

HD_FACE long hd_mrand48(void)
{
    return (int32_t)(next() >> 32);
}

HD_FACE double hd_drand48(void)
{
    return (double)(next() >> 11) * 0x1p-53;
}

HD_FACE void hd_srand(unsigned s)
{
    seed(s);
}

HD_FACE void hd_srandom(unsigned s)
{
    seed(s);
}

HD_FACE void hd_srand48(long s)
{
    seed((uint64_t)s);
}

HD_FACE int hd_rand_r(unsigned *state)
{
    SEE(hd_call_site, WRITES(state, sizeof *state));
    uint64_t wide = *state;
    int drawn = (int)(draw(&wide) >> 33);
    *state = (unsigned)(wide >> 32) ^ (unsigned)wide;
    return drawn;
}

HD_FACE unsigned hd_arc4random(void)
{
    return (unsigned)next();
}

HD_FACE unsigned hd_arc4random_uniform(unsigned bound)
{
    return bound ? (unsigned)(next() % bound) : 0;
}

static void fill(void *to, size_t n)
{
    SEE(hd_call_site, WRITES(to, n));
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)to)[i] = (unsigned char)next();
}

HD_FACE void hd_arc4random_buf(void *to, size_t n)
{
    fill(to, n);
}

HD_FACE ssize_t hd_getrandom(void *to, size_t n, unsigned flags)
{
    (void)flags;
    fill(to, n);
    return (ssize_t)n;
}

HD_FACE int hd_getentropy(void *to, size_t n)
{
    fill(to, n);
    return 0;
}
