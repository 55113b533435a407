// Programs written for SV-COMP run unchanged.
// EXPECT: complete
// TESTS: 2
// OPTIONS: --races=off
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static int x;

static void *add(void *unused)
{
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, add, NULL);
    pthread_create(&q, NULL, add, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    __VERIFIER_assume(x > 0);
    if (x != 2)
        reach_error();
}
