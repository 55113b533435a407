// The coordinator of a two-phase commit: asks all participants to prepare, and tells them to commit if all vote yes.
//
// A bug: it counts votes, not participants, so a vote that arrives twice counts as two. -DREPAIRED notes who has voted, and
// repeats the decision for a participant that repeats its vote.
#include "commit.h"

#ifdef REPAIRED
static int voted[PARTICIPANTS];

static int is_missing(void)
{
    for (int i = 0; i < PARTICIPANTS; i++)
        if (!voted[i])
            return 1;
    return 0;
}
#endif

static char collect(int fd)
{
    int votes = 0, port = 0;
    while (votes < PARTICIPANTS) {
        if (hear(fd, 1000, &port) != YES)
            return ABORT; // a participant votes no, or does not answer
#ifdef REPAIRED
        voted[port - COORDINATOR - 1] = 1;
        votes = is_missing() ? 0 : PARTICIPANTS;
#else
        votes++;
#endif
    }
    return COMMIT;
}

int main(void)
{
    int fd = open_port(COORDINATOR), port = 0;
    for (int i = 1; i <= PARTICIPANTS; i++)
        tell(fd, COORDINATOR + i, PREPARE);
    char decision = collect(fd);
    for (int i = 1; i <= PARTICIPANTS; i++)
        tell(fd, COORDINATOR + i, decision);
#ifdef REPAIRED
    while (hear(fd, -1, &port) != NOTHING)
        tell(fd, port, decision);
#endif
    return 0;
}
