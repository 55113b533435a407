// A time that is read in one file and decides in another: never called complete as long as it passes in one way.
// RUN: -DHOW=0 EXPECT=bound
// RUN: -DHOW=1 EXPECT=bound
// RUN: -DHOW=2 EXPECT=bound
// RUN: -DHOW=3 EXPECT=bound
// RANDOM: 0
#include "clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int done;

static void *work(void *unused)
{
    __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static int is_late(void)
{
    struct timer timer, *t = malloc(sizeof *t);
    start(&timer);
    *t = timer;
    switch (HOW) {
    case 0: /* its result */
        return now() - timer.started > 2;
    case 1: /* a structure that it writes */
        return has_passed(&timer);
    case 2: /* the same, copied to the heap */
        return has_passed(t);
    default: /* a pointer to it */
        return clock_of_choice() - timer.started > 2;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (is_late())
        puts("late");
    pthread_join(t, NULL);
    return 0;
}
