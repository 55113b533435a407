#include "model/crew.h"

#include "base/memory.h"

#include <pthread.h>
#include <string.h>

enum { WORTH_SHARING = 8 };

struct hd_model_crew {
    int count, idle;
    hd_model_numbers shared; /* states given away, for idle workers */
    bool stop;
    pthread_mutex_t lock;
    pthread_cond_t given;
};

hd_model_crew *hd_model_crew_open(int count)
{
    hd_model_crew *c = hd_alloc(&hd_heap, sizeof *c);
    c->count = count;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->given, NULL);
    return c;
}

void hd_model_crew_close(hd_model_crew *c)
{
    hd_vec_fini(&c->shared);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->given);
    hd_release(&hd_heap, c, sizeof *c);
}

void hd_model_crew_lock(hd_model_crew *c)
{
    pthread_mutex_lock(&c->lock);
}

void hd_model_crew_unlock(hd_model_crew *c)
{
    pthread_mutex_unlock(&c->lock);
}

void hd_model_crew_run(hd_model_crew *c, void *(*work)(void *), void *workers, size_t size)
{
    pthread_t threads[64];
    for (int i = 1; i < c->count; i++)
        pthread_create(&threads[i], NULL, work, (char *)workers + (size_t)i * size);
    work(workers);
    for (int i = 1; i < c->count; i++)
        pthread_join(threads[i], NULL);
}

void hd_model_crew_stop(hd_model_crew *c)
{
    pthread_mutex_lock(&c->lock);
    __atomic_store_n(&c->stop, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
}

/* Gives away the older half: states closer to the root tend to have larger subgraphs. */
static void give_half(hd_model_crew *c, hd_model_numbers *open)
{
    pthread_mutex_lock(&c->lock);
    size_t half = open->count / 2;
    for (size_t i = 0; i < half; i++)
        hd_vec_push(&c->shared, open->items[i]);
    memmove(open->items, open->items + half, (open->count - half) * sizeof *open->items);
    open->count -= half;
    pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
}

/* Waits until another worker gives states away, or all workers are idle. The last one to become
 * idle ends the search. */
static bool take_shared(hd_model_crew *c, hd_model_numbers *open)
{
    pthread_mutex_lock(&c->lock);
    __atomic_add_fetch(&c->idle, 1, __ATOMIC_RELAXED);
    /* `idle` is changed under the lock only; the unlocked read in hd_model_crew_next is a hint. */
    while (c->shared.count == 0 && !c->stop && c->idle < c->count)
        pthread_cond_wait(&c->given, &c->lock);
    bool got = c->shared.count > 0 && !c->stop;
    for (size_t i = 0, n = (c->shared.count + 1) / 2; got && i < n; i++)
        hd_vec_push(open, hd_vec_pop(&c->shared));
    if (got)
        __atomic_sub_fetch(&c->idle, 1, __ATOMIC_RELAXED);
    else
        pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
    return got;
}

bool hd_model_crew_next(hd_model_crew *c, hd_model_numbers *open, uint32_t *number)
{
    if (__atomic_load_n(&c->stop, __ATOMIC_RELAXED) || (open->count == 0 && !take_shared(c, open)))
        return false;
    /* Depth first: few states wait at a time. */
    *number = hd_vec_pop(open);
    if (c->count > 1 && open->count > WORTH_SHARING && __atomic_load_n(&c->idle, __ATOMIC_RELAXED) > 0)
        give_half(c, open);
    return true;
}
