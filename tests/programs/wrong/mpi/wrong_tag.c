// The tag that is waited for is never sent.
// OPTIONS: --np=2 --mpi-buffer=eager
// EXPECT: finding deadlock
// TESTS: 1
#include "start.h"

static void run(void)
{
    int a = 0;
    if (rank)
        MPI_Send(&a, 1, MPI_INT, 0, 1, WORLD);
    else
        MPI_Recv(&a, 1, MPI_INT, 1, 2, WORLD, IGNORE);
}
