// A message that does not fit its receive: too long, or of another type.
// OPTIONS: --np=2 --mpi-buffer=eager
// RUN: -DCASE=0 FINDING=message TESTS=2
// RUN: -DCASE=1 FINDING=message TESTS=2
// RUN: -DCASE=2 FINDING=message TESTS=4
#include "start.h"

static void run(void)
{
    int a[2] = { 0 };
    double d = 0;
    (void)d;
    if (!rank)
        MPI_Send(a, 2, MPI_INT, 1, 0, WORLD);
    else {
#if CASE == 0
        MPI_Recv(a, 1, MPI_INT, 0, 0, WORLD, IGNORE);
#elif CASE == 1
        MPI_Recv(&d, 1, MPI_DOUBLE, 0, 0, WORLD, IGNORE);
#else
        MPI_Request q;
        MPI_Irecv(a, 1, MPI_INT, 0, 0, WORLD, &q);
        MPI_Wait(&q, IGNORE);
#endif
    }
}
