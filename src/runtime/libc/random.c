/* Random numbers, the same in every run. Every thread has its own sequence, with the same seed: its numbers do not
 * depend on other threads. srand, srandom and srand48 seed the caller's sequence. With --toss the test decides what
 * a function returns. */
#include "runtime/face/face.h"
#include "runtime/libc/see.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/branch.h"
#include "runtime/symbolic/calls.h"
#include "runtime/symbolic/inputs.h"
#include "runtime/symbolic/toss.h"
#include "runtime/sync/choice.h"

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

/* The numbers that a function can return: `count` of them from `low` on (count 0: all of its width). */
typedef struct numbers {
    hd_tossed function;
    const char *name;
    const void *address;
    uint8_t width, is_signed;
    uint64_t low, count;
} numbers;

#define NUMBERS(name, type, low, count) \
    (numbers) \
    { \
        HD_TOSS_##name, #name, (const void *)hd_##name, 8 * sizeof(type), (type)-1 < 0, (uint64_t)(low), count \
    }

/* A range on the command line limits the numbers to the first ones from 0 on. */
static uint64_t choose_from(const numbers *of, uint64_t most)
{
    return hd_choose((unsigned)(of->count && of->count < most ? of->count : most));
}

/* Returns 0 if the function is not tossed. */
static int toss(numbers of, const hd_site *site, uint64_t *value)
{
    uint64_t most;
    uint32_t shadow = 0;
    hd_input_request r = { of.name, -1, of.width, of.is_signed, of.low, of.count, site };
    if (!hd_toss_is_given(of.function, &most))
        return 0;
    hd_call_site = site;
    *value = most ? choose_from(&of, most) : hd_input_draw(&r, &shadow);
    hd_returns_from(of.address, shadow);
    return 1;
}

HD_FACE int hd_rand(void)
{
    uint64_t tossed;
    return toss(NUMBERS(rand, int, 0, 1ull << 31), hd_call_site, &tossed) ? (int)tossed : (int)(next() >> 33);
}

HD_FACE long hd_random(void)
{
    uint64_t tossed;
    return toss(NUMBERS(random, long, 0, 1ull << 31), hd_call_site, &tossed) ? (long)tossed : (long)(next() >> 33);
}

HD_FACE long hd_lrand48(void)
{
    uint64_t tossed;
    return toss(NUMBERS(lrand48, long, 0, 1ull << 31), hd_call_site, &tossed) ? (long)tossed : (long)(next() >> 33);
}

HD_FACE long hd_mrand48(void)
{
    uint64_t tossed;
    return toss(NUMBERS(mrand48, long, INT32_MIN, 1ull << 32), hd_call_site, &tossed) ? (long)tossed
                                                                                      : (int32_t)(next() >> 32);
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
    const hd_site *site = hd_call_site;
    SEE(site, WRITES(state, sizeof *state));
    uint64_t wide = *state, tossed;
    int drawn = (int)(draw(&wide) >> 33);
    *state = (unsigned)(wide >> 32) ^ (unsigned)wide;
    return toss(NUMBERS(rand_r, int, 0, 1ull << 31), site, &tossed) ? (int)tossed : drawn;
}

HD_FACE unsigned hd_arc4random(void)
{
    uint64_t tossed;
    return toss(NUMBERS(arc4random, unsigned, 0, 0), hd_call_site, &tossed) ? (unsigned)tossed : (unsigned)next();
}

HD_FACE unsigned hd_arc4random_uniform(unsigned bound)
{
    uint64_t tossed;
    const hd_site *site = hd_call_site;
    hd_branch(hd_passed_to((const void *)hd_arc4random_uniform, 0), bound, site);
    if (bound < 2)
        return 0;
    return toss(NUMBERS(arc4random_uniform, unsigned, 0, bound), site, &tossed) ? (unsigned)tossed
                                                                                : (unsigned)(next() % bound);
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
