// A wait for two pipes finds one of them ready, or both.
// AMONG: 12
#include "transcript.h"

#include <poll.h>
#include <pthread.h>

static int p[2][2];

static void *writes(void *end)
{
    write(*(int *)end, "x", 1);
    return NULL;
}

static void first_of_two(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pipe(p[i]);
    struct pollfd both[] = { { p[0][0], POLLIN, 0 }, { p[1][0], POLLIN, 0 } };
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, writes, &p[i][1]);
    TRY(poll(both, 2, -1));
    say("%x %x\n", both[0].revents, both[1].revents);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    TRY(poll(both, 2, -1));
}

int main(void)
{
    RUN(first_of_two);
    return finish();
}
