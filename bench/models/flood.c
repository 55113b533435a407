/* flood.pml in C: process 0 is the source. With -DENDS nodes do not wait for word from their other neighbour. */
#include "network.h"

#ifndef N
#define N 3
#endif

static void *process(void *number)
{
    int me = (int)(long)number, next = (me + 1) % (N + 1), before = (me + N) % (N + 1);
    heddle_envelope about;
    if (!me) {
        tell(next, 0, 0, 0);
        tell(before, 0, 0, 0);
        return NULL; /* what comes back is not needed */
    }
    int parent = hear(me, HEDDLE_ANY, &about);
    tell(parent == next ? before : next, me, 0, me);
#ifndef ENDS
    hear(me, HEDDLE_ANY, &about);
#endif
    return NULL;
}

int main(void)
{
    start(N + 1, process);
}
