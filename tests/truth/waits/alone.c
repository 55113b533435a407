// A thread that is alone waits in a loop for something that never comes: a deadlock, at the loop.
// RUN: -DHOW=0 EXPECT='finding deadlock at 56' TESTS=1
// RUN: -DHOW=0 -O0 EXPECT='finding deadlock at 56' TESTS=1
// RUN: -DHOW=0 -DJOINS EXPECT='finding deadlock at 56' TESTS=1
// RUN: -DHOW=0 -DJOINS -O0 EXPECT='finding deadlock at 56' TESTS=1
// RUN: -DHOW=1 -DJOINS EXPECT='finding deadlock at 59' TESTS=1
// RUN: -DHOW=2 EXPECT='finding deadlock at 47' TESTS=1
// RUN: -DHOW=3 EXPECT='finding deadlock at 67' TESTS=1
// RUN: -DHOW=4 EXPECT='finding deadlock at 71' TESTS=1
// RUN: -DHOW=5 EXPECT='finding deadlock at 75' TESTS=1
// RUN: -DHOW=6 EXPECT='finding deadlock at 81' TESTS=1
// RUN: -DHOW=7 -DJOINS EXPECT='finding deadlock at 84' TESTS=1
// RUN: -DHOW=8 EXPECT='finding deadlock at 89' TESTS=1
// RUN: -DHOW=9 EXPECT='finding deadlock at 93' TESTS=1
// RUN: -DHOW=10 EXPECT='finding deadlock at 97' TESTS=1
// RUN: -DHOW=11 EXPECT='finding deadlock at 104' TESTS=1
// RUN: -DHOW=12 EXPECT='finding deadlock at 108' TESTS=1
// RUN: -DHOW=13 -DJOINS EXPECT='finding deadlock at 112' TESTS=1
// RUN: -DHOW=14 EXPECT='finding deadlock at 115' TESTS=1
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Atomic int flag;
static volatile int plainly;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static struct timespec moment = { 0, 1000 };

/* It keeps the lock. */
static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    if (unused)
        plainly = 1;
    return unused;
}

static int is_set(void)
{
    return atomic_load(&flag);
}

static void wait_for_ever(void)
{
    int old, longer = 1;
    volatile int *block;
    switch (HOW) {
    case 0:
        while (!flag) { }
        break;
    case 1:
        while (!plainly)
            sched_yield();
        break;
    case 2:
        while (!is_set())
            usleep(10);
        break;
    case 3:
        while (!flag)
            nanosleep(&moment, NULL);
        break;
    case 4:
        while (!flag)
            __builtin_ia32_pause();
        break;
    case 5:
        while (!flag)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
        break;
    case 6:
        do
            old = 1;
        while (!atomic_compare_exchange_strong(&flag, &old, 2));
        break;
    case 7:
        while (pthread_mutex_trylock(&lock) == EBUSY)
            sched_yield();
        break;
    case 8:
        for (;;)
            sleep(1);
        break;
    case 9:
        sem_init(&semaphore, 0, 0);
        while (sem_trywait(&semaphore) && errno == EAGAIN)
            sched_yield();
        break;
    case 10: /* with pauses that become longer, up to a limit */
        while (!flag) {
            for (volatile int i = 0; i < longer; i++) { }
            longer = longer < 64 ? 2 * longer : longer;
        }
        break;
    case 11:
        block = calloc(1, sizeof *block);
        while (!*block) { }
        break;
    case 12:
        pthread_mutex_lock(&lock);
        while (!plainly)
            pthread_cond_timedwait(&changed, &lock, &moment);
        break;
    case 13:
        while (!plainly) { }
        break;
    default:
        while (atomic_fetch_or(&flag, 0) == 0) { }
    }
}

int main(void)
{
#ifdef JOINS
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
#else
    (void)work;
#endif
    wait_for_ever();
    return 0;
}
