// A deadlock that is found before an input shows that x is read by both threads: what
// is learned later must not keep it from being seen again.
// EXPECT: finding deadlock
// INPUTS: a + b > 1
// TESTS: dpor=8 dfs=169
#include <heddle.h>
#include <pthread.h>

static int x, a, b, way[4];
static unsigned y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    way[0] = x > 3 ? 1 : 2;
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return argument;
}

static void *second(void *argument)
{
    if (b << a == 2)
        way[1] = x;
    int turned = a + b > 1;
    pthread_mutex_lock(turned ? &m : &n);
    pthread_mutex_lock(turned ? &n : &m);
    __atomic_fetch_add(&y, 2, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    a = (int)heddle_range(0, 3, "a");
    b = (int)heddle_range(0, 3, "b");
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
