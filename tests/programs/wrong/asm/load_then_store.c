// The same with a load and a store, which are atomic each: no race, but an update is lost.
// EXPECT: finding assertion at 24
// DFS: yes
// TESTS: 4
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *u)
{
    int v;
    __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(x) : "memory");
    __asm__ volatile("movl %1, %0" : "=m"(x) : "r"(v + 1) : "memory");
    return u;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
}
