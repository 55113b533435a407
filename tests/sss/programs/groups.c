/* Two groups of threads, each with a lock and a variable of its own. Static bounds show that they do not interfere. */
#include <pthread.h>

static struct group {
    pthread_mutex_t lock;
    int count;
} left = { PTHREAD_MUTEX_INITIALIZER, 0 }, right = { PTHREAD_MUTEX_INITIALIZER, 0 };

static void *in_left(void *unused)
{
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&left.lock);
        left.count = left.count * 3 + 1;
        pthread_mutex_unlock(&left.lock);
    }
    return unused;
}

static void *in_right(void *unused)
{
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&right.lock);
        right.count = right.count * 3 + 1;
        pthread_mutex_unlock(&right.lock);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? in_left : in_right, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
