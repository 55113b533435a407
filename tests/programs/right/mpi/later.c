// Collective calls that are waited for later.
// OPTIONS: --np=2
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    int one = rank + 1, sum = 0, word = rank ? 0 : 9, both[2];
    MPI_Request q[4];
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD, &q[0]);
    MPI_Ibcast(&word, 1, MPI_INT, 0, WORLD, &q[1]);
    MPI_Iallgather(&one, 1, MPI_INT, both, 1, MPI_INT, WORLD, &q[2]);
    MPI_Ibarrier(WORLD, &q[3]);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    assert(sum == 3 && word == 9 && both[0] == 1 && both[1] == 2);
}
