/* Branches on an input in the middle of a critical section. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *update(void *unused)
{
    int n = heddle_int("n");
    pthread_mutex_lock(&lock);
    if (n > 3)
        x++;
    if (x == 2 && n == 7)
        x = 5;
    x += 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_create(&b, NULL, update, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x < 6);
    return 0;
}
