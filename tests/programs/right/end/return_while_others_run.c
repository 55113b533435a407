// The same by returning from main: every other thread may be anywhere, 3 x 3 places.
// EXPECT: complete
// TESTS: 9
// DFS: yes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[2];

static void *work(void *number)
{
    long i = (long)number;
    atomic_store(&x[i], 1);
    atomic_store(&x[i], 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    return 0;
}
