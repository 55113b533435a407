#include "model/post.h"

#include <pthread.h>
#include <string.h>

enum {
    BATCH = 1 << 13,
    WORTH_SENDING = 1 << 10, /* to a worker that waits; less would not be worth waking it up */
    LOOKS = 1000, /* polls of the inbox before sleeping: something is likely to arrive soon */
    APART = 64
};

typedef struct batch {
    struct batch *next;
    uint32_t used, read;
    uint8_t bytes[BATCH];
} batch;

/* The data of one worker; other workers write to `inbox` only. */
typedef struct desk {
    batch **outgoing; /* batch being filled, per receiver; NULL: none */
    batch *reading, *spare;
    uint8_t apart[APART]; /* padding: no false sharing with the fields that others write */
    batch *inbox;
    uint8_t from_the_next[APART];
} desk;

struct hd_model_post {
    int count;
    int idle, asleep; /* number of workers without work; of these, asleep */
    bool stopped;
    desk *desks;
    pthread_mutex_t lock; /* guards inboxes and waiting */
    pthread_cond_t something;
};

hd_model_post *hd_model_post_open(int workers)
{
    hd_model_post *p = hd_alloc(&hd_heap, sizeof *p);
    p->count = workers;
    p->desks = hd_alloc(&hd_heap, (size_t)workers * sizeof *p->desks);
    for (int i = 0; i < workers; i++)
        p->desks[i].outgoing = hd_alloc(&hd_heap, (size_t)workers * sizeof *p->desks[i].outgoing);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->something, NULL);
    return p;
}

static void release(batch *b)
{
    for (batch *next; b; b = next) {
        next = b->next;
        hd_release(&hd_heap, b, sizeof *b);
    }
}

void hd_model_post_close(hd_model_post *p)
{
    for (int i = 0; i < p->count; i++) {
        desk *d = &p->desks[i];
        for (int k = 0; k < p->count; k++)
            release(d->outgoing[k]);
        release(d->reading);
        release(d->spare);
        release(d->inbox);
        hd_release(&hd_heap, d->outgoing, (size_t)p->count * sizeof *d->outgoing);
    }
    hd_release(&hd_heap, p->desks, (size_t)p->count * sizeof *p->desks);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->something);
    hd_release(&hd_heap, p, sizeof *p);
}

/* --- sending ------------------------------------------------------------------------------------ */

static void deliver(hd_model_post *p, int from, int to)
{
    batch *b = p->desks[from].outgoing[to];
    if (!b)
        return;
    p->desks[from].outgoing[to] = NULL;
    pthread_mutex_lock(&p->lock);
    /* The latest batch first; the order of states does not matter here. */
    b->next = p->desks[to].inbox;
    __atomic_store_n(&p->desks[to].inbox, b, __ATOMIC_RELAXED);
    if (p->asleep)
        pthread_cond_broadcast(&p->something);
    pthread_mutex_unlock(&p->lock);
}

static batch *new_batch(desk *d)
{
    batch *b = d->spare;
    if (b)
        d->spare = b->next;
    else
        b = hd_resize(&hd_heap, NULL, 0, sizeof *b);
    /* Not cleared: only what is put in is read. */
    b->next = NULL;
    b->used = b->read = 0;
    return b;
}

static void put(batch *b, const void *bytes, uint32_t size)
{
    memcpy(b->bytes + b->used, bytes, size);
    b->used += size;
}

void hd_model_post_send(hd_model_post *p, int from, int to, const hd_model_packed *state)
{
    desk *d = &p->desks[from];
    uint32_t size = sizeof state->hash + sizeof state->size + state->size;
    /* Records do not cross batches. */
    if (d->outgoing[to] && d->outgoing[to]->used + size > BATCH)
        deliver(p, from, to);
    if (!d->outgoing[to])
        d->outgoing[to] = new_batch(d);
    put(d->outgoing[to], &state->hash, sizeof state->hash);
    put(d->outgoing[to], &state->size, sizeof state->size);
    put(d->outgoing[to], state->record, state->size);
}

static void deliver_all(hd_model_post *p, int from)
{
    for (int to = 0; to < p->count; to++)
        deliver(p, from, to);
}

void hd_model_post_hurry(hd_model_post *p, int from)
{
    /* A hint, read without the lock: a late look costs a little waiting. */
    if (!__atomic_load_n(&p->idle, __ATOMIC_RELAXED))
        return;
    for (int to = 0; to < p->count; to++) {
        const batch *b = p->desks[from].outgoing[to];
        if (b && b->used >= WORTH_SENDING && !__atomic_load_n(&p->desks[to].inbox, __ATOMIC_RELAXED))
            deliver(p, from, to);
    }
}

/* --- receiving ----------------------------------------------------------------------------------- */

static void take(batch *b, void *into, uint32_t size)
{
    memcpy(into, b->bytes + b->read, size);
    b->read += size;
}

/* The batch to read from. Batches that have been read are reused for sending. */
static batch *batch_to_read(hd_model_post *p, desk *d)
{
    while (d->reading && d->reading->read == d->reading->used) {
        batch *done = d->reading;
        d->reading = done->next;
        done->next = d->spare;
        d->spare = done;
    }
    if (!d->reading && __atomic_load_n(&d->inbox, __ATOMIC_RELAXED)) {
        pthread_mutex_lock(&p->lock);
        d->reading = d->inbox;
        __atomic_store_n(&d->inbox, NULL, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&p->lock);
    }
    return d->reading;
}

bool hd_model_post_next(hd_model_post *p, int to, const hd_model_shapes *shapes, hd_model_packed *state)
{
    batch *b = batch_to_read(p, &p->desks[to]);
    if (!b)
        return false;
    take(b, &state->hash, sizeof state->hash);
    take(b, &state->size, sizeof state->size);
    take(b, state->record, state->size);
    /* Pointers are not sent; the record says which shape it is. */
    state->shape = hd_model_store_shape(shapes, state);
    return true;
}

/* --- the end ------------------------------------------------------------------------------------- */

/* Called with the lock held: an idle worker has delivered everything, so empty inboxes mean that no
 * state is in transit. */
static bool nothing_is_left(const hd_model_post *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->desks[i].inbox)
            return false;
    return p->idle == p->count;
}

/* Read without the lock while polling; the lock is taken before anything is concluded from it. */
static bool has_come(const hd_model_post *p, int self)
{
    return __atomic_load_n(&p->desks[self].inbox, __ATOMIC_RELAXED) || hd_model_post_stopped(p);
}

static void look_out(const hd_model_post *p, int self)
{
    for (int i = 0; i < LOOKS && !has_come(p, self); i++)
        __builtin_ia32_pause();
}

static void sleep_until(hd_model_post *p, int self)
{
    p->asleep++;
    while (!has_come(p, self))
        pthread_cond_wait(&p->something, &p->lock);
    p->asleep--;
}

bool hd_model_post_wait(hd_model_post *p, int self)
{
    /* First, so that an idle worker holds nothing back: nothing_is_left relies on it. */
    deliver_all(p, self);
    __atomic_add_fetch(&p->idle, 1, __ATOMIC_RELAXED);
    look_out(p, self);
    pthread_mutex_lock(&p->lock);
    /* The last worker to become idle ends the search. */
    if (nothing_is_left(p))
        __atomic_store_n(&p->stopped, true, __ATOMIC_RELAXED);
    sleep_until(p, self);
    if (p->stopped)
        pthread_cond_broadcast(&p->something);
    else
        __atomic_sub_fetch(&p->idle, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&p->lock);
    return !hd_model_post_stopped(p);
}

void hd_model_post_stop(hd_model_post *p)
{
    pthread_mutex_lock(&p->lock);
    __atomic_store_n(&p->stopped, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&p->something);
    pthread_mutex_unlock(&p->lock);
}

bool hd_model_post_stopped(const hd_model_post *p)
{
    return __atomic_load_n(&p->stopped, __ATOMIC_RELAXED);
}
