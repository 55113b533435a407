// Two threads are stuck with each other while main goes on and ends the process.
// EXPECT: finding deadlock
// DFS: yes
#include <pthread.h>

static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

static void *work(void *number)
{
    long i = (long)number;
    pthread_mutex_lock(&lock[i]);
    pthread_mutex_lock(&lock[1 - i]);
    pthread_mutex_unlock(&lock[1 - i]);
    pthread_mutex_unlock(&lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    return 0;
}
