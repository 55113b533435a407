// A function that is assembly outside of C.
// CFLAGS: -w
// RUN: EXPECT=bound
// RUN: -DNEVER EXPECT=complete
#include <pthread.h>

int x;
void set_x(void);
__asm__(".globl set_x\nset_x: movl $1, x(%rip)\nret");

static void *set(void *u)
{
#ifdef NEVER
    if (!u)
#endif
        set_x();
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set, &x);
    pthread_create(&b, NULL, set, &x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
