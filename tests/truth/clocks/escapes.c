// Times that go out of the compiler's sight before they decide, and some that stay in it and decide nothing.
// RUN: -DHOW=0 EXPECT=bound
// RUN: -DHOW=1 EXPECT=bound
// RUN: -DHOW=2 EXPECT=bound
// RUN: -DHOW=3 EXPECT=bound
// RUN: -DHOW=4 EXPECT=bound
// RUN: -DHOW=5 EXPECT=bound EXPECT="finding invalid-free"
// RUN: -DHOW=6 EXPECT=bound
// RUN: -DHOW=7 EXPECT=bound
// RUN: -DHOW=8 EXPECT=bound
// RUN: -DHOW=9 EXPECT=complete
// RUN: -DHOW=10 EXPECT=complete
// RUN: -DHOW=11 EXPECT=complete
// RUN: -DHOW=12 EXPECT=complete
// RUN: -DHOW=13 EXPECT=complete
// RUN: -DHOW=14 EXPECT=bound
// RUN: -DHOW=13 CFLAGS=-O0 EXPECT=complete
// RUN: -DHOW=0 CFLAGS=-O0 EXPECT=bound
// RUN: -DHOW=9 CFLAGS=-O0 EXPECT=complete
// RUN: -DHOW=10 CFLAGS=-O0 EXPECT=complete
// RANDOM: 0
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <x86intrin.h>

time_t seen_by_others;
static time_t started;
static long table[2];

static long sum_of(int count, ...)
{
    long sum = 0;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(list, long);
    va_end(list);
    return sum;
}

static long twice(long x)
{
    return 2 * x;
}
static long (*volatile function)(long) = twice;

static void take(struct timeval *t)
{
    gettimeofday(t, NULL);
}

static double seconds(void)
{
    struct timeval t;
    take(&t);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void *work(void *unused)
{
    return unused;
}

static void look(void)
{
    long *heap = malloc(2 * sizeof *heap);
    char text[64];
    struct tm when;
    struct tms used;
    started = time(NULL);
    if (HOW == 0) { /* the heap, by two pointers */
        heap[0] = time(NULL);
        long *same = memchr(heap, 0, 0) ? NULL : heap;
        if (same[0] - started > 2)
            puts("late");
    }
    if (HOW == 1) { /* a variadic function */
        if (sum_of(1, (long)time(NULL)) - started > 2)
            puts("late");
    }
    if (HOW == 2) { /* a pointer to a function */
        if (function((long)time(NULL)) - 2 * started > 4)
            puts("late");
    }
    if (HOW == 3) { /* a divisor */
        printf("%d\n", 1000 / (int)(time(NULL) - started + 1));
    }
    if (HOW == 4) { /* an index */
        printf("%ld\n", table[time(NULL) & 1]);
    }
    if (HOW == 5) { /* an address */
        printf("%p\n", (void *)(uintptr_t)(heap + (time(NULL) & 1)));
        free(heap + (time(NULL) - started));
        return;
    }
    if (HOW == 6) { /* a text */
        snprintf(text, sizeof text, "%ld", (long)(time(NULL) - started));
        if (strcmp(text, "0"))
            puts("late");
    }
    if (HOW == 7) { /* the processor's clock and the process's */
        if (times(&used) > 1000 || __rdtsc() > 1000000000)
            puts("late");
    }
    if (HOW == 8) { /* a variable of other files */
        seen_by_others = time(NULL);
        if (seen_by_others - started > 2)
            puts("late");
    }
    if (HOW == 9) { /* through functions, variables and floating point to the output */
        printf("%.3f s\n", seconds() - (double)started);
    }
    if (HOW == 10) { /* a date */
        time_t now = time(NULL);
        localtime_r(&now, &when);
        strftime(text, sizeof text, "%Y", &when);
        printf("%s %s %f\n", text, ctime(&now), difftime(now, started));
    }
    if (HOW == 11) { /* a seed */
        srand((unsigned)time(NULL));
        printf("%d %llu\n", rand(), __rdtsc());
    }
    if (HOW == 12) { /* a comparison that is only shown */
        printf("%d\n", time(NULL) - started > 2);
    }
    if (HOW == 13 || HOW == 14) { /* a difference whose sides only compute; one of them does something else */
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        clock_gettime(CLOCK_MONOTONIC, &to);
        to.tv_sec -= from.tv_sec;
        to.tv_nsec -= from.tv_nsec;
        if (to.tv_nsec < 0) {
            to.tv_sec--;
            to.tv_nsec += 1000000000;
            if (HOW == 14)
                seen_by_others = 1;
        }
        printf("%ld.%09ld\n", (long)to.tv_sec, to.tv_nsec);
    }
    free(heap);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    look();
    pthread_join(t, NULL);
    return 0;
}
