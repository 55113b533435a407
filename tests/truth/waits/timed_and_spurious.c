// A timed wait that ends although its time has not run out and nobody has signalled.
// OPTIONS: --spurious
// RUN: FINDING=assertion TESTS=2
// RUN: -DCLOCK FINDING=assertion TESTS=2
// RUN: -DC11 FINDING=assertion TESTS=2
// RUN: -DC11_UNTIMED FINDING=assertion TESTS=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

int main(void)
{
    struct timespec until = { 1, 0 };
#if defined(C11) || defined(C11_UNTIMED)
    mtx_t m;
    cnd_t c;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    mtx_lock(&m);
#ifdef C11
    int woken = cnd_timedwait(&c, &m, &until) == thrd_success;
#else
    (void)until;
    int woken = cnd_wait(&c, &m) == thrd_success;
#endif
    mtx_unlock(&m);
#else
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&m);
#ifdef CLOCK
    int woken = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until) == 0;
#else
    int woken = pthread_cond_timedwait(&c, &m, &until) == 0;
#endif
    pthread_mutex_unlock(&m);
#endif
    assert(!woken);
}
