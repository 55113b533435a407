// Initialising a lock that another thread holds, or that it may come to hold.
// RUN: FINDING=lock-discipline
// RUN: -DRWLOCK FINDING=lock-discipline
// RUN: -DAGAIN EXPECT=complete
#include <pthread.h>

static pthread_mutex_t m;
static pthread_rwlock_t l;

static void *holds(void *u)
{
#ifdef RWLOCK
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
#else
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
#endif
    return u;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&m, NULL);
    pthread_rwlock_init(&l, NULL);
    pthread_create(&t, NULL, holds, NULL);
#ifdef AGAIN
    pthread_join(t, NULL);
#endif
    pthread_mutex_init(&m, NULL);
    pthread_rwlock_init(&l, NULL);
#ifndef AGAIN
    pthread_join(t, NULL);
#endif
    pthread_mutex_destroy(&m);
    pthread_mutex_init(&m, NULL);
    holds(NULL);
}
