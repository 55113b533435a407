/* followed: none; branches: 300
 * Through threads: arguments, results, mutexes, atomics, thread-local variables, keys. */
#include "observe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long shared;
static _Atomic int counter, flag;
static _Atomic uint64_t word;
static _Thread_local long own;
static pthread_key_t key;

static void *work(void *argument)
{
    long x = (long)argument;
    own += x;
    pthread_setspecific(key, (void *)(x ^ 5));
    pthread_mutex_lock(&mutex);
    shared += x;
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add(&counter, (int)x);
    atomic_fetch_xor(&word, (uint64_t)x);
    observe((uint64_t)(own + (long)pthread_getspecific(key)));
    if (x & 1)
        pthread_exit((void *)(x + 1));
    return (void *)(own * 2);
}

static int work_int(void *argument)
{
    return (int)(long)argument - 3;
}

struct many {
    int of[5];
};

int main(void)
{
    pthread_t threads[2];
    thrd_t other;
    void *result;
    int x = heddle_int("x"), number;
    own = x;
    pthread_key_create(&key, NULL);
    pthread_create(&threads[0], NULL, work, (void *)(long)x);
    pthread_create(&threads[1], NULL, work, (void *)7L);
    pthread_join(threads[0], &result);
    observe((uint64_t)result);
    pthread_join(threads[1], &result);
    observe((uint64_t)result);
    observe((uint64_t)shared);
    observe((uint32_t)atomic_load(&counter));
    observe(atomic_load(&word));
    observe((uint64_t)own);
    thrd_create(&other, work_int, (void *)(long)x);
    thrd_join(other, &number);
    observe((uint32_t)number);
    observe((uint32_t)atomic_exchange(&counter, x * 3));
    observe((uint32_t)atomic_load(&counter));
    int expected = 6;
    observe(atomic_compare_exchange_strong(&counter, &expected, x + 1));
    observe((uint32_t)expected);
    observe((uint32_t)counter);
    atomic_fetch_or(&flag, x & 8);
    atomic_fetch_and(&flag, 12);
    atomic_fetch_sub(&flag, x);
    observe((uint32_t)flag);
    __atomic_fetch_max(&number, x, __ATOMIC_SEQ_CST);
    observe((uint32_t)__atomic_nand_fetch(&number, 77, __ATOMIC_SEQ_CST));
    struct many a = { { x, 2, 3 } }, b;
    static _Atomic struct many big;
    atomic_store(&big, a);
    b = atomic_load(&big);
    observe((uint32_t)b.of[0]);
    return 0;
}
