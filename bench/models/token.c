/* token.pml in C, for ROUNDS rounds of the ping. */
#include "network.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

enum { PING, PONG };

static void *process(void *number)
{
    int me = (int)(long)number, to = (me + 1) % N, seen = me ? 0 : -1, rounds = 0;
    heddle_envelope about;
    if (!me) {
        tell(to, me, PING, 1);
        tell(to, me, PONG, -1);
    }
    for (int left = 2 * ROUNDS; left; left--) {
        int value = hear(me, me || rounds % 2 ? HEDDLE_ANY : PING, &about);
        if (seen == value)
            tell(to, me, !about.tag, -value);
        seen = value;
        rounds++;
        if (me)
            tell(to, me, about.tag, value);
        else if (about.tag == PONG && left > 1) { /* both have come back */
            seen = value - 1;
            tell(to, me, PING, 1 - value);
            tell(to, me, PONG, value - 1);
        }
    }
    return NULL;
}

int main(void)
{
    start(N, process);
}
