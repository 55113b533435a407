/* A set of threads, by slot. */
#ifndef HD_EVENT_THREAD_SET_H
#define HD_EVENT_THREAD_SET_H

#include "abi/wire.h"

#include <stdbool.h>

enum { HD_THREAD_WORDS = HD_MAX_THREADS / 64 };

typedef struct hd_thread_set {
    uint64_t words[HD_THREAD_WORDS];
} hd_thread_set;

static inline bool hd_thread_set_has(const hd_thread_set *s, uint32_t thread)
{
    return thread < HD_MAX_THREADS && (s->words[thread / 64] >> thread % 64 & 1);
}

static inline void hd_thread_set_add(hd_thread_set *s, uint32_t thread)
{
    s->words[thread / 64] |= 1ull << thread % 64;
}

static inline void hd_thread_set_remove(hd_thread_set *s, uint32_t thread)
{
    s->words[thread / 64] &= ~(1ull << thread % 64);
}

static inline uint32_t hd_thread_set_count(const hd_thread_set *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < HD_THREAD_WORDS; i++)
        count += (uint32_t)__builtin_popcountll(s->words[i]);
    return count;
}

/* Does `all` contain a thread that `some` does not? */
static inline bool hd_thread_set_exceeds(const hd_thread_set *all, const hd_thread_set *some)
{
    for (uint32_t i = 0; i < HD_THREAD_WORDS; i++)
        if (all->words[i] & ~some->words[i])
            return true;
    return false;
}

#endif
