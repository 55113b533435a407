// Two senders and a wait for both: which events it gets depends on the schedule. (So does their order; Linux has one more
// if a sender comes while a wait collects events, which is no schedule of calls.)
// AMONG: 12
#include "transcript.h"

#include <pthread.h>
#include <sys/epoll.h>

static int p[2][2];

static void *writes(void *end)
{
    write(*(int *)end, "x", 1);
    return NULL;
}

static void take(int e)
{
    struct epoll_event events[2];
    long n = TRY(epoll_wait(e, events, 2, -1));
    for (unsigned which = 0; which < 2; which++)
        for (long i = 0; i < n; i++)
            if (events[i].data.u32 == which)
                say("%u: %x\n", which, events[i].events);
}

static void events_of_two(void)
{
    pthread_t t[2];
    int e = epoll_create1(0);
    for (int i = 0; i < 2; i++) {
        pipe(p[i]);
        struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };
        epoll_ctl(e, EPOLL_CTL_ADD, p[i][0], &event);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, writes, &p[i][1]);
    take(e);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    take(e);
}

int main(void)
{
    RUN(events_of_two);
    return finish();
}
