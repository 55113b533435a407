// Assembly with an instruction that is not known: its memory operand is seen, and
// the verdict is not complete.
// EXPECT: bound
// CFLAGS: -w
// RUN: FINDING=data-race
// RUN: -DALONE
#include <pthread.h>

static int x;

static void *turn(void *u)
{
    int own = 1, *p = u ? &x : &own;
    __asm__ volatile("roll $1, %0" : "+m"(*p) : : "cc");
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, turn, &x);
#ifdef ALONE
    pthread_join(a, NULL);
#endif
    pthread_create(&b, NULL, turn, &x);
#ifndef ALONE
    pthread_join(a, NULL);
#endif
    pthread_join(b, NULL);
    return 0;
}
