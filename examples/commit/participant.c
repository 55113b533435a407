// A participant of a two-phase commit: participant.c NUMBER VOTE, where the vote is y or n.
//
// The bug: after it has voted yes, it aborts if it hears nothing for a second. But the coordinator may have told the other one
// to commit, and then have crashed, or the message to this one may be lost. -DREPAIRED votes again; if it still hears nothing,
// it stays in doubt, as it must: until the coordinator is back, only that knows the decision.
#include "commit.h"

#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// The logs of both participants, which no real one could read at once.
static _Atomic int *logs;

static void open_logs(void)
{
    int fd = shm_open("/logs", O_CREAT | O_RDWR, 0600);
    ftruncate(fd, PARTICIPANTS * sizeof *logs);
    logs = mmap(NULL, PARTICIPANTS * sizeof *logs, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static int decide(int number, char decision)
{
    int other = PARTICIPANTS - number;
    logs[number - 1] = decision;
    assert(!logs[other] || logs[other] == decision); // both commit, or both abort
    return 0;
}

int main(int argc, char **argv)
{
    int number = atoi(argv[1]), fd = open_port(COORDINATOR + number), port;
    char vote = argv[2][0], letter;
#ifdef REPAIRED
    int patience = 1;
#endif
    open_logs();
    if (hear(fd, 1000, &port) != PREPARE)
        return decide(number, ABORT); // it has not voted yet
    tell(fd, COORDINATOR, vote);
    if (vote == NO)
        return decide(number, ABORT);
    while ((letter = hear(fd, 1000, &port)) != COMMIT && letter != ABORT) {
        if (letter == PREPARE)
            continue; // again
#ifdef REPAIRED
        if (!patience--)
            return 0; // in doubt
        tell(fd, COORDINATOR, vote);
#else
        return decide(number, ABORT);
#endif
    }
    return decide(number, letter);
}
