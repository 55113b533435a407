// Both receive first.
// OPTIONS: --np=2
// EXPECT: finding deadlock
// TESTS: 2
#include "start.h"

static void run(void)
{
    int a = 0, b;
    MPI_Recv(&b, 1, MPI_INT, !rank, 0, WORLD, IGNORE);
    MPI_Send(&a, 1, MPI_INT, !rank, 0, WORLD);
}
