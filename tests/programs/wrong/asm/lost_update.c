// Two increments without a lock prefix: one may be lost.
// EXPECT: finding data-race at 9
// EXPECT: finding assertion at 19
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *u) { __asm__ volatile("incl %0" : "+m"(x) : : "cc"); return u; }


int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
}
