// Waitany returns either request first; waitsome one or both.
// OPTIONS: --np=3 --mpi-buffer=eager
// RUN: -DSOME=0 EXPECT=complete TESTS=2
// RUN: -DSOME=1 EXPECT=complete TESTS=10 BLOCKED=3
#include "start.h"

static void run(void)
{
    int got[2] = { 0 }, done = 0;
    MPI_Request q[2];
    if (rank) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        return;
    }
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, i + 1, 0, WORLD, &q[i]);
    while (done < 2) {
#if SOME
        int count, which[2];
        MPI_Waitsome(2, q, &count, which, MPI_STATUSES_IGNORE);
        assert(count == 1 || count == 2);
        for (int i = 0; i < count; i++)
            assert(got[which[i]] == which[i] + 1);
        done += count;
#else
        int i;
        MPI_Waitany(2, q, &i, IGNORE);
        assert(got[i] == i + 1 && q[i] == MPI_REQUEST_NULL);
        done++;
#endif
    }
    int i;
    MPI_Waitany(2, q, &i, IGNORE);
    assert(i == MPI_UNDEFINED);
}
