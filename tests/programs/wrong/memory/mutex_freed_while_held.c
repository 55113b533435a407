// T1 frees a mutex that it holds. T2 locks it before T1 (then T1 waits for ever), or after, while it waits for it or not:
// a use after free. If the process ends first, T2 is left waiting, or has not used the mutex.
// EXPECT: finding use-after-free
// EXPECT: finding deadlock
// DFS: yes
// TESTS: 5
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *frees(void *unused)
{
    pthread_mutex_lock(mutex);
    free(mutex);
    return unused;
}

static void *locks(void *unused)
{
    pthread_mutex_lock(mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_create(&a, NULL, frees, NULL);
    pthread_create(&b, NULL, locks, NULL);
    pthread_join(a, NULL);
    return 0;
}
