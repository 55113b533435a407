// Assembly that writes where a register points, with an instruction that is not
// known: not complete if it is executed, complete if it is not.
// CFLAGS: -w
// RUN: EXPECT=bound
// RUN: -DNEVER EXPECT=complete
#include <pthread.h>
#include <stdlib.h>

static char bytes[16];

static void *fill(void *u)
{
#ifdef NEVER
    if (u)
        return u;
#endif
    void *to = bytes;
    long n = sizeof bytes;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(0) : "memory");
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, fill, bytes);
    pthread_create(&b, NULL, fill, bytes);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
