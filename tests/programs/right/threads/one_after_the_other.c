// Threads that never live together: one execution, however many.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 10; i++) {
        pthread_t a;
        pthread_create(&a, NULL, add, NULL);
        pthread_join(a, NULL);
    }
    assert(x == 10);
}
