// Constructors, main, handlers and destructors run in their order, in every execution, around a thread
// that a constructor has created.
// EXPECT: complete
// RUN: -DJOIN=1 TESTS=2
// RUN: -DJOIN=0
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREAD = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static int order[32], count;

static void mark(int what)
{
    pthread_mutex_lock(&lock);
    order[count++] = what;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    mark(THREAD);
    return unused;
}

__attribute__((constructor(102))) static void second(int argc, char **argv)
{
    assert(argc == 1 && argv[0] && !argv[1]);
    mark(2);
}

__attribute__((constructor(101))) static void first(void)
{
    mark(1);
}

__attribute__((constructor)) static void third(void)
{
    mark(3);
    pthread_create(&thread, NULL, work, NULL);
}

static void zeroth(void)
{
    mark(0);
}

__attribute__((section(".init_array.00090"), used)) static void (*const early)(void) = zeroth;

__attribute__((destructor)) static void third_last(void)
{
    mark(-3);
}

__attribute__((destructor(102))) static void second_last(void)
{
    mark(-2);
}

__attribute__((destructor(101))) static void last(void)
{
    static const int wanted[] = { 0, 1, 2, 3, 10, 11, 12, -3, -2 };
    int kept = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++)
        if (order[i] != THREAD)
            assert(order[i] == wanted[kept++]);
    assert(kept == 9);
    pthread_mutex_unlock(&lock);
}

static void told(int status, void *argument)
{
    assert(status == 0 && argument == &lock);
    mark(12);
}

static void plain(void)
{
    mark(11);
}

static void never(void)
{
    abort();
}

int main(void)
{
    mark(10);
    on_exit(told, &lock);
    atexit(plain);
    at_quick_exit(never);
    if (JOIN)
        pthread_join(thread, NULL);
    return 0;
}
