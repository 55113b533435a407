/* mutex.pml in C: each site ends when it has heard all requests that will be sent to it, and has nothing to pass on. */
#include "network.h"

#ifndef N
#define N 2
#endif

enum { REQUEST, TOKEN };

/* The next site that wants the token and has not been served, or `me`. */
static int choose(int me, int wants, int served)
{
    int to = (me + 1) % N;
    while (to != me && !(wants & ~served & 1 << to))
        to = (to + 1) % N;
    return to;
}

static void *process(void *number)
{
    int me = (int)(long)number, wants = 0, served = 0, have = !me, left = N - 1 - (me != 0);
    heddle_envelope about;
    for (int i = 1; i < N && !have; i++)
        tell((me + i) % N, me, REQUEST, 1);
    if (!have)
        served = hear(me, TOKEN, &about);
    /* the critical section */
    served |= 1 << me;
    for (have = 1;; left--) {
        int to = choose(me, wants, served);
        if (have && to != me) {
            tell(to, me, TOKEN, served);
            have = 0;
        }
        if (!left)
            return NULL;
        hear(me, REQUEST, &about);
        wants |= 1 << about.source;
    }
}

int main(void)
{
    start(N, process);
}
