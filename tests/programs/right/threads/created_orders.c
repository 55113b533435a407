// What a thread does before it creates another comes before all that the other does.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <pthread.h>

static int x;

static void *second(void *unused)
{
    assert(x == 1);
    x = 2;
    return unused;
}

static void *first(void *unused)
{
    pthread_t b;
    x = 1;
    pthread_create(&b, NULL, second, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, first, NULL);
    pthread_join(a, NULL);
    assert(x == 2);
}
