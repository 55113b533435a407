// Two readers wait for each other while both hold the lock. The writer comes after both, or before both: it is kept from
// its lock by either of them, so no order of two steps alone tells that it can come first.
// EXPECT: finding assertion
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t first_is_in, second_is_in;
static int read_before;

static void *first_reader(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    read_before = 1;
    sem_post(&first_is_in);
    sem_wait(&second_is_in);
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void *second_reader(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    sem_post(&second_is_in);
    sem_wait(&first_is_in);
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void *writer(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    assert(read_before);
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    sem_init(&first_is_in, 0, 0);
    sem_init(&second_is_in, 0, 0);
    pthread_create(&threads[0], NULL, first_reader, NULL);
    pthread_create(&threads[1], NULL, second_reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
