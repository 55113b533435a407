// Stacks are as new: what an earlier execution wrote there, with an operation at that depth or without, near the
// top or far below, is gone.
// CFLAGS: -Wno-uninitialized
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { SHALLOW = 16 * 1024, DEEP = 300 * 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int lowest; // a constant would let the compiler keep one byte of an array

__attribute__((noinline)) static void without_operation(void)
{
    volatile char bytes[SHALLOW];
    assert(!bytes[lowest]);
    bytes[lowest] = 1;
}

__attribute__((noinline)) static void with_operation(void)
{
    volatile char bytes[2 * SHALLOW];
    assert(!bytes[lowest]);
    pthread_mutex_lock(&lock);
    bytes[lowest] = 1;
    pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void far_below(void)
{
    volatile char bytes[DEEP];
    assert(!bytes[lowest]);
    bytes[lowest] = 1;
}

static void *work(void *unused)
{
    without_operation();
    with_operation();
    far_below();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
