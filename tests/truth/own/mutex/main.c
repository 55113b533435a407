// A program's own mtx_lock, in another file: what it does is explored, and its bug is found.
// RUN: EXPECT=complete TESTS=2
// RUN: -DBROKEN FINDING=assertion,data-race
#include "lock.h"

#include <assert.h>
#include <pthread.h>

static mtx_t mutex;
static int inside, total;

static void *work(void *u)
{
    mtx_lock(&mutex);
    assert(++inside == 1);
    total++;
    inside--;
    mtx_unlock(&mutex);
    return u;
}

int main(void)
{
    pthread_t t;
    mtx_init(&mutex, 0);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(total == 2);
}
