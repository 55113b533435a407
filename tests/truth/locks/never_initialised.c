// Locks in memory that nobody has initialised; zeros are what static initialisers leave.
// RUN: -DWHERE=STACK -DWHAT=1 FINDING=lock-discipline
// RUN: -DWHERE=STACK -DWHAT=2 FINDING=lock-discipline
// RUN: -DWHERE=STACK -DWHAT=3 FINDING=lock-discipline
// RUN: -DWHERE=STACK -DWHAT=5 FINDING=lock-discipline
// RUN: -DWHERE=HEAP -DWHAT=1 FINDING=lock-discipline
// RUN: -DWHERE=HEAP -DWHAT=2 FINDING=lock-discipline
// RUN: -DWHERE=HEAP -DWHAT=3 FINDING=lock-discipline
// RUN: -DWHERE=HEAP -DWHAT=4 FINDING=lock-discipline
// RUN: -DWHERE=HEAP -DWHAT=5 FINDING=lock-discipline
// RUN: -DWHERE=ZEROS -DWHAT=1 EXPECT=complete
// RUN: -DWHERE=ZEROS -DWHAT=2 EXPECT=complete
// RUN: -DWHERE=ZEROS -DWHAT=3 EXPECT=complete
// RUN: -DWHERE=ZEROS -DWHAT=4 FINDING=lock-discipline
// RUN: -DWHERE=ZEROS -DWHAT=5 FINDING=lock-discipline
// RUN: -DWHERE=ZEROS -DWHAT=6 FINDING=lock-discipline
// RUN: -DWHERE=ASSIGNED -DWHAT=1 EXPECT=complete
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

#define STACK 1
#define HEAP 2
#define ZEROS 3
#define ASSIGNED 4

struct locks {
    int number;
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
    pthread_cond_t condition;
    sem_t semaphore;
    mtx_t c11;
    pthread_barrier_t barrier;
};

static void use(struct locks *l)
{
    switch (WHAT) {
    case 1:
        pthread_mutex_lock(&l->mutex);
        pthread_mutex_unlock(&l->mutex);
        break;
    case 2:
        pthread_rwlock_wrlock(&l->rwlock);
        pthread_rwlock_unlock(&l->rwlock);
        break;
    case 3:
        pthread_cond_signal(&l->condition);
        break;
    case 4:
        sem_post(&l->semaphore);
        break;
    case 5:
        mtx_lock(&l->c11);
        break;
    default:
        pthread_barrier_wait(&l->barrier);
    }
}

int main(void)
{
#if WHERE == STACK
    struct locks here;
    use(&here);
#elif WHERE == HEAP
    use(malloc(sizeof(struct locks)));
#elif WHERE == ZEROS
    static struct locks zeros;
    use(&zeros);
    use(WHAT < 4 ? calloc(1, sizeof(struct locks)) : &zeros);
#else
    struct locks *p = malloc(sizeof *p);
    p->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    use(p);
    use(p);
#endif
}
