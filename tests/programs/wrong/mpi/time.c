// MPI_Wtime is a clock: a rank may be slow.
// OPTIONS: --np=2 --mpi-buffer=eager
// EXPECT: bound
// EXPECT: finding assertion at 11
#include "start.h"

static void run(void)
{
    double start = MPI_Wtime();
    MPI_Barrier(WORLD);
    assert(MPI_Wtime() - start < 500);
}
