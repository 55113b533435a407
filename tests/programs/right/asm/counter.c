// Updates in assembly are atomic updates like any others.
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *unused)
{
    __asm__ volatile("lock; addl %1, %0" : "+m"(x) : "ir"(2) : "memory", "cc");
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 4);
}
