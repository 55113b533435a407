#include "runtime/sync/tokens.h"

#include "runtime/core/end.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"

/* The posts of one thread. */
typedef struct poster {
    uint32_t slot;
    uint32_t added, taken;
    uint32_t next; /* the poster with the next greater slot, + 1; 0: none */
} poster;

typedef struct purse {
    const void *semaphore;
    uint32_t run; /* an entry of an earlier run is free */
    uint32_t initial; /* tokens left */
    uint32_t first; /* poster + 1; 0: none */
} purse;

enum { MOST = 1 << 16 };

static purse *purses; /* a hash table */
static poster *posters;
static uint32_t run, purse_count, poster_count;

void hd_tokens_new_run(void)
{
    run++;
    purse_count = poster_count = 0;
}

/* A semaphore without an entry was initialised before the run. */
static purse *purse_of(const void *semaphore, uint32_t value)
{
    if (!purses) {
        purses = hd_own_alloc(MOST * sizeof *purses);
        posters = hd_own_alloc(MOST * sizeof *posters);
    }
    uint32_t at = (uint32_t)((uintptr_t)semaphore * 0x9e3779b97f4a7c15u >> 32) % MOST;
    while (purses[at].run == run && purses[at].semaphore != semaphore)
        at = (at + 1) % MOST;
    if (purses[at].run != run) {
        if (++purse_count == MOST)
            hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d semaphores in an execution are not modelled", MOST - 1);
        purses[at] = (purse) { .semaphore = semaphore, .run = run, .initial = value };
    }
    return &purses[at];
}

static poster *poster_of(purse *p, uint32_t slot)
{
    uint32_t *link = &p->first;
    while (*link && posters[*link - 1].slot < slot)
        link = &posters[*link - 1].next;
    if (!*link || posters[*link - 1].slot != slot) {
        if (poster_count == MOST)
            hd_end(HD_MODEL_LIMIT, hd_call_site,
                "more than %d pairs of a semaphore and a thread that posts it are "
                "not modelled",
                MOST);
        posters[poster_count] = (poster) { .slot = slot, .next = *link };
        *link = ++poster_count;
    }
    return &posters[*link - 1];
}

/* The first thread with a token left, or NULL. */
static poster *first_with_token(const purse *p)
{
    for (uint32_t i = p->first; i; i = posters[i - 1].next)
        if (posters[i - 1].added > posters[i - 1].taken)
            return &posters[i - 1];
    return NULL;
}

void hd_tokens_reset(const void *semaphore, uint32_t value)
{
    if (!hd_exploring())
        return;
    purse *p = purse_of(semaphore, value);
    p->initial = value;
    p->first = 0;
}

uint32_t hd_tokens_least(const void *semaphore, uint32_t value)
{
    const purse *p = hd_exploring() && value ? purse_of(semaphore, value) : NULL;
    const poster *owner = p && !p->initial ? first_with_token(p) : NULL;
    return owner ? hd_token(owner->slot, owner->taken + 1) : p ? HD_TOKEN_INITIAL : 0;
}

uint32_t hd_tokens_next(const void *semaphore, uint32_t value, uint32_t slot)
{
    return hd_exploring() ? hd_token(slot, poster_of(purse_of(semaphore, value), slot)->added + 1) : 0;
}

void hd_tokens_take(const void *semaphore, uint32_t value)
{
    if (!hd_exploring())
        return;
    purse *p = purse_of(semaphore, value);
    if (p->initial)
        p->initial--;
    else
        first_with_token(p)->taken++;
}

void hd_tokens_add(const void *semaphore, uint32_t value, uint32_t slot)
{
    if (hd_exploring())
        poster_of(purse_of(semaphore, value), slot)->added++;
}

int hd_tokens_are_valid(const void *semaphore, uint32_t value)
{
    if (!hd_exploring())
        return 1;
    const purse *p = purse_of(semaphore, value);
    uint64_t tokens = p->initial;
    int valid = 1;
    for (uint32_t i = p->first; i; i = posters[i - 1].next) {
        const poster *owner = &posters[i - 1];
        valid &= owner->taken <= owner->added && (!owner->next || owner->slot < posters[owner->next - 1].slot);
        tokens += owner->added - owner->taken;
    }
    return valid && tokens == value;
}
