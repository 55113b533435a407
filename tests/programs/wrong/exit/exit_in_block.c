// An atomic block of main exits as long as the flag is not set; a thread sets it, and main fails behind the block then.
// Two others wait for each other. That shows only where main exits before the flag is set.
// EXPECT: finding deadlock
// EXPECT: finding assertion
// TESTS: 40
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, zero;

static void *first(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static void *set(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    heddle_atomic_begin();
    if (!flag)
        exit(0);
    heddle_atomic_end();
    assert(zero);
    return 0;
}
