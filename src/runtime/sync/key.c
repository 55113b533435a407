#include "runtime/sync/key.h"

#include "runtime/sched/sched.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { KEYS = 64 };

/* Entries beyond the thread's counters (keys_created, keys_set) are remains of earlier runs. */
static struct {
    void (*destructor)(void *);
    int exists;
} created[HD_MAX_THREADS][KEYS];
static struct {
    uint32_t key;
    void *value;
} values[HD_MAX_THREADS][KEYS];

/* No operation: the number of the key, and so its entry, belongs to the creating thread alone. */
int hd_key_create(uint32_t *key, void (*destructor)(void *))
{
    hd_thread *t = hd_current;
    if (t->slot.keys_created == KEYS)
        return EAGAIN;
    created[t->id][t->slot.keys_created].destructor = destructor;
    created[t->id][t->slot.keys_created].exists = 1;
    *key = t->slot.keys_created++ * HD_MAX_THREADS + t->id;
    hd_effect();
    return 0;
}

static int exists(uint32_t key)
{
    uint32_t creator = key % HD_MAX_THREADS, n = key / HD_MAX_THREADS;
    return creator < *hd_rt.thread_count && n < hd_threads[creator].slot.keys_created && created[creator][n].exists;
}

int hd_key_delete(uint32_t key)
{
    if (!exists(key))
        return EINVAL;
    created[key % HD_MAX_THREADS][key / HD_MAX_THREADS].exists = 0;
    hd_effect();
    return 0;
}

static void **find(uint32_t key)
{
    for (uint32_t i = 0; i < hd_current->keys_set; i++)
        if (values[hd_current->id][i].key == key)
            return &values[hd_current->id][i].value;
    return NULL;
}

int hd_key_set(uint32_t key, const void *value)
{
    hd_thread *t = hd_current;
    if (!exists(key))
        return EINVAL;
    hd_effect();
    void **slot = find(key);
    if (!slot) {
        if (t->keys_set == KEYS)
            return ENOMEM;
        values[t->id][t->keys_set].key = key;
        slot = &values[t->id][t->keys_set++].value;
    }
    *slot = (void *)value;
    return 0;
}

void *hd_key_slot(uint32_t key)
{
    return exists(key) ? find(key) : NULL;
}

void *hd_key_get(uint32_t key)
{
    void **slot = hd_key_slot(key);
    return slot ? *slot : NULL;
}

void hd_key_copy(hd_thread *copy)
{
    memcpy(values[copy->id], values[hd_current->id], hd_current->keys_set * sizeof *values[0]);
    copy->keys_set = hd_current->keys_set;
}

/* One round over the values; returns whether any destructor ran. Destructors may set values again. */
static int run_destructors(void)
{
    int any = 0;
    for (uint32_t i = 0; i < hd_current->keys_set; i++) {
        uint32_t key = values[hd_current->id][i].key;
        void *value = values[hd_current->id][i].value;
        values[hd_current->id][i].value = NULL;
        if (!value || !exists(key) || !created[key % HD_MAX_THREADS][key / HD_MAX_THREADS].destructor)
            continue;
        created[key % HD_MAX_THREADS][key / HD_MAX_THREADS].destructor(value);
        any = 1;
    }
    return any;
}

void hd_key_thread_ends(void)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && run_destructors(); round++)
        ;
}
