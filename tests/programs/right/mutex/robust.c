// The next thread learns that the owner of a robust mutex died, and repairs it.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int dead;

static void *dies(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

static void *repairs(void *unused)
{
    int error = pthread_mutex_lock(&lock);
    if (error == EOWNERDEAD) {
        dead = 1;
        pthread_mutex_consistent(&lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    pthread_t p, q;
    pthread_create(&p, NULL, dies, NULL);
    pthread_create(&q, NULL, repairs, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
