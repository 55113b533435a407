/* leader.pml in C. */
#include "network.h"

#include <assert.h>

#ifndef N
#define N 3
#endif

enum { ONE, TWO, WINNER };

static void *process(void *number)
{
    int me = (int)(long)number, to = (me + 1) % N, own = (N + 3 - (me + 1)) % N + 1, maximum = own, neighbour = 0;
    int active = 1, knows = 0;
    heddle_envelope about;
    tell(to, me, ONE, own);
    for (;;) {
        int heard = hear(me, HEDDLE_ANY, &about);
        if (about.tag == WINNER) {
            if (!knows)
                tell(to, me, WINNER, heard);
            return NULL;
        }
        if (!active)
            tell(to, me, about.tag, heard);
        else if (about.tag == ONE && heard == maximum) {
            assert(heard == N);
            knows = 1;
            tell(to, me, WINNER, heard);
        } else if (about.tag == ONE) {
            tell(to, me, TWO, heard);
            neighbour = heard;
        } else if (neighbour > heard && neighbour > maximum) {
            maximum = neighbour;
            tell(to, me, ONE, neighbour);
        } else
            active = 0;
    }
}

int main(void)
{
    start(N, process);
}
