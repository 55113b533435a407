// Initialising or destroying what a thread holds or waits at, and using what was destroyed, in one order of threads alone.
// CFLAGS: -D_GNU_SOURCE
// RUN: -DWHAT=1 FINDING=lock-discipline
// RUN: -DWHAT=2 FINDING=lock-discipline
// RUN: -DWHAT=3 FINDING=lock-discipline
// RUN: -DWHAT=4 FINDING=lock-discipline
// RUN: -DWHAT=5 FINDING=lock-discipline
// RUN: -DWHAT=6 FINDING=lock-discipline
// RUN: -DWHAT=7 FINDING=lock-discipline
// RUN: -DWHAT=8 FINDING=lock-discipline
// RUN: -DWHAT=9 FINDING=lock-discipline
// RUN: -DWHAT=10 FINDING=lock-discipline
// RUN: -DWHAT=11 FINDING=lock-discipline
// RUN: -DWHAT=1 -DJOINED EXPECT=complete
// RUN: -DWHAT=2 -DJOINED EXPECT=complete
// RUN: -DWHAT=3 -DJOINED EXPECT=complete
// RUN: -DWHAT=4 -DJOINED EXPECT=complete
// RUN: -DWHAT=5 -DJOINED EXPECT=complete
// RUN: -DWHAT=6 -DJOINED EXPECT=complete
// RUN: -DWHAT=7 -DJOINED EXPECT=complete
// RUN: -DWHAT=8 -DJOINED EXPECT=complete
// RUN: -DWHAT=9 -DJOINED EXPECT=complete
// RUN: -DWHAT=10 -DJOINED EXPECT=complete
// RUN: -DWHAT=11 -DJOINED EXPECT=complete
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, c2 = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ready;

static void *uses(void *u)
{
    switch (WHAT) {
    case 1:
        pthread_spin_lock(&spin);
        pthread_spin_unlock(&spin);
        break;
    case 2:
    case 3:
    case 4:
    case 5:
        pthread_mutex_lock(&m);
        while (!ready)
            pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        break;
    case 6:
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
        break;
    case 7:
    case 8:
        pthread_barrier_wait(&barrier);
        break;
    case 9:
    case 10:
        sem_wait(&semaphore);
        break;
    default:
        pthread_cond_signal(&c2);
    }
    return u;
}

static void change(void)
{
    switch (WHAT) {
    case 1:
        pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
        break;
    case 2:
        pthread_mutex_init(&m, NULL);
        break;
    case 3:
        pthread_mutex_destroy(&m);
        break;
    case 4:
        pthread_cond_init(&c, NULL);
        break;
    case 5:
        pthread_cond_destroy(&c);
        break;
    case 6:
        pthread_rwlock_init(&rwlock, NULL);
        break;
    case 7:
        pthread_barrier_init(&barrier, NULL, 2);
        break;
    case 8:
        pthread_barrier_destroy(&barrier);
        break;
    case 9:
        sem_init(&semaphore, 0, 1);
        break;
    case 10:
        sem_destroy(&semaphore);
        break;
    default:
        pthread_cond_destroy(&c2);
    }
}

/* So that the thread ends. */
static void help(void)
{
    if (WHAT >= 2 && WHAT <= 5) {
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    } else if (WHAT == 7 || WHAT == 8) {
        pthread_barrier_wait(&barrier);
    } else if (WHAT == 9 || WHAT == 10) {
        sem_post(&semaphore);
    }
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_mutex_init(&m, NULL);
    pthread_rwlock_init(&rwlock, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    pthread_create(&t, NULL, uses, NULL);
#ifdef JOINED
    help();
    pthread_join(t, NULL);
    change();
#else
    change();
    help();
    pthread_join(t, NULL);
#endif
}
