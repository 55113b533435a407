#include "model/sleep.h"

#include "abi/valid.h"
#include "base/error.h"
#include "base/memory.h"

/* Of one state. */
typedef struct entry {
    hd_model_sleepers now, expanded;
    bool is_expanded;
} entry;

struct hd_model_sleeps {
    hd_vec(entry) states;
};

hd_model_sleeps *hd_model_sleeps_open(void)
{
    return hd_alloc(&hd_heap, sizeof(hd_model_sleeps));
}

bool hd_model_sleepers_have(const hd_model_sleepers *s, hd_model_sleeper r)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].pid == r.pid && s->items[i].transition == r.transition && s->items[i].message == r.message)
            return true;
    return false;
}

static void copy(hd_model_sleepers *to, const hd_model_sleepers *from)
{
    hd_vec_clear(to);
    for (size_t i = 0; i < from->count; i++)
        hd_vec_push(to, from->items[i]);
}

/* Keeps those that are also in `with`; whether any is gone. */
static bool keep_common(hd_model_sleepers *s, const hd_model_sleepers *with)
{
    size_t kept = 0, count = s->count;
    for (size_t i = 0; i < count; i++)
        if (hd_model_sleepers_have(with, s->items[i]))
            s->items[kept++] = s->items[i];
    s->count = kept;
    return kept < count;
}

bool hd_model_sleeps_reach(hd_model_sleeps *all, uint32_t state, const hd_model_sleepers *with)
{
    hd_check_valid(hd_model_sleeps_is_valid(all), 8 * all->states.count, all->states.count);
    /* States are numbered in order of arrival, so a new state is the next entry. */
    if (state < all->states.count)
        return keep_common(&all->states.items[state].now, with);
    hd_vec_push(&all->states, ((entry) { .is_expanded = false }));
    copy(&all->states.items[state].now, with);
    return true;
}

bool hd_model_sleeps_expand(
    hd_model_sleeps *all, uint32_t state, hd_model_sleepers *asleep, hd_model_sleepers *woken, bool *first)
{
    entry *s = &all->states.items[state];
    copy(asleep, &s->now);
    hd_vec_clear(woken);
    /* What slept at the last expansion and no longer does. */
    for (size_t i = 0; i < s->expanded.count; i++)
        if (!hd_model_sleepers_have(&s->now, s->expanded.items[i]))
            hd_vec_push(woken, s->expanded.items[i]);
    *first = !s->is_expanded;
    s->is_expanded = true;
    copy(&s->expanded, &s->now);
    return *first || woken->count;
}

bool hd_model_sleeps_is_valid(const hd_model_sleeps *all)
{
    for (size_t i = 0; i < all->states.count; i++) {
        const entry *s = &all->states.items[i];
        for (size_t k = 0; s->is_expanded && k < s->now.count; k++)
            if (!hd_model_sleepers_have(&s->expanded, s->now.items[k]))
                return false;
        if (!s->is_expanded && s->expanded.count)
            return false;
    }
    return true;
}

void hd_model_sleeps_close(hd_model_sleeps *all)
{
    for (size_t i = 0; i < all->states.count; i++) {
        hd_vec_fini(&all->states.items[i].now);
        hd_vec_fini(&all->states.items[i].expanded);
    }
    hd_vec_fini(&all->states);
    hd_release(&hd_heap, all, sizeof *all);
}
