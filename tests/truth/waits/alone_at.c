// A thread alone waits in a loop forever: before main, when main has returned, and as the last of several.
// RUN: -DPLACE=0 EXPECT='finding deadlock at 18' TESTS=1
// RUN: -DPLACE=1 EXPECT='finding deadlock at 18' TESTS=1
// RUN: -DPLACE=2 EXPECT='finding deadlock at 18' TESTS=1
// RUN: -DPLACE=3 EXPECT='finding deadlock at 18' TESTS=1
// RUN: -DPLACE=4 EXPECT='finding deadlock at 18' TESTS=1
// RUN: -DPLACE=5 EXPECT='finding deadlock at 18' TESTS=1
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int flag;
static volatile int place = PLACE;

static void wait_for_ever(void)
{
    while (!flag)
        sched_yield();
}

__attribute__((constructor)) static void begins(void)
{
    if (place == 0)
        wait_for_ever();
    if (place == 1)
        atexit(wait_for_ever);
}

__attribute__((destructor)) static void ends(void)
{
    if (place == 2)
        wait_for_ever();
}

static void *work(void *key)
{
    if (place == 3)
        wait_for_ever();
    if (place == 4)
        pthread_setspecific(*(pthread_key_t *)key, key);
    return NULL;
}

static void of_key(void *unused)
{
    (void)unused;
    wait_for_ever();
}

int main(void)
{
    pthread_t t;
    static pthread_key_t key;
    pthread_key_create(&key, of_key);
    pthread_create(&t, NULL, work, &key);
    if (place == 3 || place == 4)
        pthread_exit(NULL);
    pthread_join(t, NULL);
    if (place == 5)
        quick_exit((wait_for_ever(), 0));
    return 0;
}
