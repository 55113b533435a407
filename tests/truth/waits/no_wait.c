// Loops of a thread that is alone and that are no waits: something in them changes, or may.
// RUN: -DHOW=0 EXPECT=complete
// RUN: -DHOW=1 EXPECT=complete
// RUN: -DHOW=2 EXPECT=complete
// RUN: -DHOW=3 EXPECT=complete
// RUN: -DHOW=4 EXPECT=complete
// RUN: -DHOW=5 EXPECT=complete
// RUN: -DHOW=6 EXPECT=complete
// RUN: -DHOW=7 EXPECT=complete
// RUN: -DHOW=8 EXPECT=complete
// RUN: -DHOW=9 EXPECT=complete
// RUN: -DHOW=10 EXPECT=complete
// RUN: -DHOW=11 EXPECT=complete
// RUN: -DHOW=12 EXPECT=complete
// RUN: -DHOW=13 EXPECT=complete
// RUN: -DHOW=14 EXPECT=complete
// RUN: -DHOW=14 -O0 EXPECT=complete
// RUN: -DHOW=15 EXPECT=bound
// RUN: -DHOW=16 OPTIONS=--depth=50 EXPECT=bound
// RUN: -DHOW=17 OPTIONS=--depth=50 EXPECT=bound
// RUN: -DHOW=18 OPTIONS=--depth=50 EXPECT=bound
// STDIN: many letters
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Atomic int counted;
static volatile int left = 100;
static __thread volatile int own;
static volatile sig_atomic_t caught;
static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static struct timespec moment = { 0, 1000 };

static void *keep_lock(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

static void on_signal(int number)
{
    (void)number;
    caught++;
}

static int bump(void)
{
    static int bumped;
    return ++bumped;
}

/* A lock that was held by a thread that has ended. */
static void make_robust(void)
{
    pthread_t t;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&t, NULL, keep_lock, NULL);
    pthread_join(t, NULL);
}

static void go_round(void)
{
    int before, old;
    char text[] = "a b c d e f g h", *part = text;
    time_t start;
    pthread_t t;
    switch (HOW) {
    case 0:
        while (atomic_fetch_add(&counted, 1) < 100)
            sched_yield();
        break;
    case 1:
        while (left)
            left--;
        break;
    case 2:
        while (own < 100)
            own++;
        break;
    case 3:
        while (bump() < 100)
            sched_yield();
        break;
    case 4:
        do {
            before = errno;
            sem_trywait(&semaphore);
        } while (!before);
        break;
    case 5:
        make_robust();
        while (pthread_mutex_trylock(&lock) == EOWNERDEAD)
            pthread_mutex_unlock(&lock);
        break;
    case 6:
        sem_init(&semaphore, 0, 100);
        while (!sem_trywait(&semaphore))
            sched_yield();
        break;
    case 7:
        while (lrand48() % 100 != 7) { }
        break;
    case 8:
        while (getchar() != EOF) { }
        break;
    case 9:
        while (strsep(&part, " ")) { }
        break;
    case 10:
        old = 0;
        while (!atomic_compare_exchange_strong(&counted, &old, 100))
            atomic_store(&counted, old - 1);
        break;
    case 11:
        pthread_mutex_lock(&lock);
        while (pthread_cond_timedwait(&changed, &lock, &moment) != ETIMEDOUT) { }
        pthread_mutex_unlock(&lock);
        break;
    case 12:
        signal(SIGUSR1, on_signal);
        while (caught < 10)
            raise(SIGUSR1);
        break;
    case 13:
        pthread_create(&t, NULL, keep_lock, NULL);
        while (pthread_tryjoin_np(t, NULL))
            sched_yield();
        break;
    case 14: /* counts in a variable of its own */
        for (int n = 0; !counted; n++)
            if (n == 100)
                break;
        break;
    case 15: /* a clock decides */
        start = time(NULL);
        while (time(NULL) - start < 10)
            sleep(1);
        break;
    case 16: /* a signal could end it */
        signal(SIGINT, on_signal);
        while (!caught)
            sem_trywait(&semaphore);
        break;
    case 17: /* prints */
        while (!caught) {
            puts("waiting");
            sem_trywait(&semaphore);
        }
        break;
    default: /* another input each time, if there was one */
        while (getchar() != '!')
            sem_trywait(&semaphore);
    }
}

int main(void)
{
    sem_init(&semaphore, 0, 0);
    go_round();
    return 0;
}
