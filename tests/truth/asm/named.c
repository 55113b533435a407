// Assembly that is not understood is named, whether or not it tells that it accesses memory; what has no such access is not.
// CFLAGS: -w
// RUN: -DWAY=1 EXPECT=bound
// RUN: -DWAY=2 EXPECT=bound
// RUN: -DWAY=3 EXPECT=bound
// RUN: -DWAY=4 EXPECT=bound
// RUN: -DWAY=5 EXPECT=bound
// RUN: -DWAY=6 EXPECT=bound
// RUN: -DWAY=7 EXPECT=bound
// RUN: -DWAY=8 EXPECT=bound
// RUN: -DWAY=9 EXPECT=complete
// RUN: -DWAY=10 EXPECT=complete
// RUN: -DWAY=11 EXPECT=complete
#include <pthread.h>
#include <stdint.h>

int x;
static long from[8], to[8];

static void *work(void *u)
{
#if WAY == 1 /* a jump out of it */
    __asm__ goto("jmp %l[out]" : : : : out);
    x++;
out:
#elif WAY == 2 /* a jump out of it, and an access */
    __asm__ goto("rolb $1, %0\n\tjz %l[out]" : : "m"(*(char *)&from[u != NULL]) : "memory", "cc" : out);
out:
#elif WAY == 3
    long n = 3;
    __asm__ volatile("1: decq %1\n\tjnz 1b\n\trolb $1, %0" : "+m"(((char *)from)[u != NULL]), "+r"(n) : : "cc");
#elif WAY == 4
    void *d = to, *s = from;
    long n = sizeof to;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
#elif WAY == 5 /* addresses as numbers */
    uintptr_t d = (uintptr_t)to;
    long n = 8;
    __asm__ volatile("cld; rep; stosq" : "+D"(d), "+c"(n) : "a"(1L));
#elif WAY == 6
    uintptr_t p = (uintptr_t)&x;
    __asm__ volatile("roll $1, (%0)" : : "r"(p) : "cc");
#elif WAY == 7
    __asm__ volatile("roll $1, x(%%rip)" : : : "cc");
#elif WAY == 8
    uintptr_t p = (uintptr_t)&x;
    __asm__ volatile(".intel_syntax noprefix\n\trol dword ptr [rax], 1\n\t.att_syntax" : : "a"(p) : "cc");
#elif WAY == 9
    long n = 3;
    __asm__ volatile("1: decq %0\n\tjnz 1b\n\tbswap %0\n\trolq $1, %0" : "+r"(n) : : "cc");
#elif WAY == 10
    double d = 2;
    __asm__ volatile("fld1\n\tfadd %%st(0), %%st\n\tfstp %%st(0)" : "+x"(d));
#elif WAY == 11
    unsigned n = 5;
    __asm__ volatile("{bsrl %0, %0|bsr %0, %0}" : "+r"(n) : : "cc");
#endif
    return u;
}

int main(void)
{
    pthread_t t;
    work(&x);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
