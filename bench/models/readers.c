/* readers.pml in C: process N is the server, N - 1 is the writer. */
#include "network.h"

#ifndef N
#define N 3
#endif

enum { START, FINISH, GO, READS = 0, WRITES = 1 };

static void serve(void)
{
    heddle_envelope about;
    for (int left = N, reading = 0; left;) {
        int what = hear(N, reading ? READS : HEDDLE_ANY, &about);
        reading += about.tag == READS ? (what == START ? 1 : -1) : 0;
        left -= what == FINISH;
        if (what == START)
            tell(about.source, N, GO, 1);
        if (about.tag == WRITES) {
            hear(N, WRITES, &about);
            left--;
        }
    }
}

static void *process(void *number)
{
    int me = (int)(long)number, tag = me == N - 1 ? WRITES : READS;
    heddle_envelope about;
    if (me == N) {
        serve();
        return NULL;
    }
    tell(N, me, tag, START);
    hear(me, GO, &about);
    tell(N, me, tag, FINISH);
    return NULL;
}

int main(void)
{
    start(N + 1, process);
}
