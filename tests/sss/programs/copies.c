/* Section 6 of the paper: two threads copy a protected variable. Composed, the two sections commute. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int v = 7;

static void *copy(void *to)
{
    pthread_mutex_lock(&lock);
    *(int *)to = v;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x, y;
    pthread_create(&a, NULL, copy, &x);
    pthread_create(&b, NULL, copy, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x + y == 14);
    return 0;
}
