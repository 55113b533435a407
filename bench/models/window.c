/* window.pml in C: a peer sends as long as its window permits, and otherwise waits. */
#include "network.h"

#ifndef W
#define W 1
#endif
#ifndef FRAMES
#define FRAMES (W + 1)
#endif

enum { DATA, ACK };

static void *process(void *number)
{
    int me = (int)(long)number, other = 1 - me, next = 0, under_way = 0, expected = 0, arrived[FRAMES] = { 0 };
    heddle_envelope about;
    while (next < FRAMES || under_way || expected < FRAMES) {
        for (; under_way < W && next < FRAMES; under_way++)
            tell(other, me, DATA, next++);
        int n = hear(me, HEDDLE_ANY, &about);
        if (about.tag == ACK) {
            under_way--;
            continue;
        }
        for (arrived[n] = 1; expected < FRAMES && arrived[expected];)
            expected++;
        tell(other, me, ACK, n);
    }
    return NULL;
}

int main(void)
{
    start(2, process);
}
