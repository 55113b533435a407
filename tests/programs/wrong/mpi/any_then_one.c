// A receive from any source takes the message that the next receive waits for, in some executions.
// OPTIONS: --np=3 --mpi-buffer=eager
// EXPECT: finding deadlock
#include "start.h"

static void run(void)
{
    int a = rank;
    if (rank)
        MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
    else {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
        MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, IGNORE);
    }
}
