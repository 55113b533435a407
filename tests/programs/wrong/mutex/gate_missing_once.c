// Opposite orders behind a gate are safe, but one of the three threads does not take the gate.
// EXPECT: finding deadlock
// DFS: yes
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *unused)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&gate);
    return unused;
}

static void *backward(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, forward, NULL);
    pthread_create(&q, NULL, backward, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
}
