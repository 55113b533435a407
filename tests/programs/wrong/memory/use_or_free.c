// A thread uses a block that another frees. A use that comes too late is an operation as well: every explorer tries
// it before the block is freed, and finds what the thread does then.
// EXPECT: finding assertion
// EXPECT: finding use-after-free
// TESTS: 4
// RUN: -DHOW=LOCK
// RUN: -DHOW=DESTROY
// RUN: -DHOW=POST
// RUN: -DHOW=READ_LOCK
// RUN: -DHOW=SIGNAL
// RUN: -DHOW=SPIN
// RUN: -DHOW=STORE EXPECT='finding data-race'
// RUN: -DHOW=LOAD EXPECT='finding data-race'
// RUN: -DHOW=ADD EXPECT='finding data-race'
// RUN: -DHOW=EXCHANGE EXPECT='finding data-race'
// RUN: -DHOW=WRITE EXPECT='finding data-race'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LOCK, DESTROY, POST, READ_LOCK, SIGNAL, SPIN, STORE, LOAD, ADD, EXCHANGE, WRITE };

typedef struct box {
    pthread_mutex_t mutex;
    sem_t semaphore;
    pthread_rwlock_t rwlock;
    pthread_cond_t condition;
    pthread_spinlock_t spinlock;
    _Atomic int number;
    int plain;
} box;

static _Atomic(box *) shared;

static void use(box *b)
{
    int expected = 0;
    switch (HOW) {
    case LOCK:
        pthread_mutex_lock(&b->mutex);
        break;
    case DESTROY:
        pthread_mutex_destroy(&b->mutex);
        break;
    case POST:
        sem_post(&b->semaphore);
        break;
    case READ_LOCK:
        pthread_rwlock_rdlock(&b->rwlock);
        break;
    case SIGNAL:
        pthread_cond_signal(&b->condition);
        break;
    case SPIN:
        pthread_spin_lock(&b->spinlock);
        break;
    case STORE:
        b->number = 1;
        break;
    case LOAD:
        expected = b->number;
        break;
    case ADD:
        b->number++;
        break;
    case EXCHANGE:
        atomic_compare_exchange_strong(&b->number, &expected, 1);
        break;
    case WRITE:
        b->plain = 1;
        break;
    }
}

static void *user(void *unused)
{
    use(shared);
    assert(!"used in time");
    return unused;
}

static void *freer(void *unused)
{
    free(shared);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    box *b = malloc(sizeof *b);
    pthread_mutex_init(&b->mutex, NULL);
    sem_init(&b->semaphore, 0, 0);
    pthread_rwlock_init(&b->rwlock, NULL);
    pthread_cond_init(&b->condition, NULL);
    pthread_spin_init(&b->spinlock, 0);
    b->number = 0;
    shared = b;
    pthread_create(&threads[0], NULL, freer, NULL);
    pthread_create(&threads[1], NULL, user, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
