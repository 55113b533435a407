// A loop that tests a request until it is done waits.
// OPTIONS: --np=2 --mpi-buffer=eager
// RUN: -DPROBES=0 EXPECT=complete TESTS=3 BLOCKED=2
// RUN: -DPROBES=1 EXPECT=complete TESTS=3 DFS=yes
#include "start.h"

static void run(void)
{
    int got = 0, flag = 0;
    if (rank) {
        got = 5;
        MPI_Send(&got, 1, MPI_INT, 0, 0, WORLD);
        return;
    }
#if PROBES
    while (!flag)
        MPI_Iprobe(1, 0, WORLD, &flag, IGNORE);
    MPI_Recv(&got, 1, MPI_INT, 1, 0, WORLD, IGNORE);
#else
    MPI_Request q;
    MPI_Irecv(&got, 1, MPI_INT, 1, 0, WORLD, &q);
    while (!flag)
        MPI_Test(&q, &flag, IGNORE);
#endif
    assert(got == 5);
}
