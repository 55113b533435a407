// Both send first: a deadlock without buffering, and only then.
// OPTIONS: --np=2
// RUN: -DBUFFER=0 FINDING=deadlock TESTS=2
// RUN: -DBUFFER=1 FINDING=deadlock TESTS=2
#include "start.h"

static void run(void)
{
    int a = 0, b;
#if BUFFER
    MPI_Ssend(&a, 1, MPI_INT, !rank, 0, WORLD);
#else
    MPI_Send(&a, 1, MPI_INT, !rank, 0, WORLD);
#endif
    MPI_Recv(&b, 1, MPI_INT, !rank, 0, WORLD, IGNORE);
}
