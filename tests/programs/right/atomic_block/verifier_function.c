// SV-COMP's atomic functions: the body is one block, also when it is inlined.
// EXPECT: complete
// OPTIONS: --races=off
// DFS: yes
// RUN: TESTS=2
// RUN: -O2 TESTS=2
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int count, copy;

static void __VERIFIER_atomic_both(void)
{
    count++;
    copy++;
}

static int __VERIFIER_atomic_are_same(void)
{
    int same;
    __VERIFIER_atomic_begin();
    same = count == copy;
    __VERIFIER_atomic_end();
    return same && count == copy;
}

static void *work(void *argument)
{
    __VERIFIER_atomic_both();
    return argument;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    assert(__VERIFIER_atomic_are_same());
    pthread_join(t, NULL);
    assert(count == 1);
}
