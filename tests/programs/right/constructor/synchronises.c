// What a constructor locks, posts, sets and hands to atexit is there in every
// execution, as if main had begun with it.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t ready;
static int count, *cell;

static void first(void)
{
    count++;
}

static void at_end(void)
{
    assert(count == 3);
    count = 0;
}

__attribute__((constructor)) static void before_main(void)
{
    pthread_mutex_lock(&mutex);
    count = 1;
    pthread_mutex_unlock(&mutex);
    pthread_key_create(&key, NULL);
    cell = malloc(sizeof *cell);
    pthread_setspecific(key, cell);
    sem_init(&ready, 0, 0);
    sem_post(&ready);
    pthread_once(&once, first);
    atexit(at_end);
}

static void *work(void *argument)
{
    pthread_once(&once, first);
    sem_wait(&ready);
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t t;
    assert(pthread_getspecific(key) == cell);
    pthread_setspecific(key, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
}
