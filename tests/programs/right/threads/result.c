// What a thread returns is what join gives.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>

static void *twice(void *number)
{
    return (void *)((long)number * 2);
}

int main(void)
{
    pthread_t a, b;
    void *x, *y;
    pthread_create(&a, NULL, twice, (void *)3);
    pthread_create(&b, NULL, twice, (void *)4);
    pthread_join(b, &y);
    pthread_join(a, &x);
    assert((long)x == 6 && (long)y == 8);
}
