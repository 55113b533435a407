// Arguments that MPI does not accept end the program.
// OPTIONS: --np=2 --mpi-buffer=eager
// RUN: -DCASE=0 FINDING=message TESTS=2
// RUN: -DCASE=1 FINDING=message TESTS=2
// RUN: -DCASE=2 FINDING=message TESTS=2
// RUN: -DCASE=3 FINDING=message TESTS=2
// RUN: -DCASE=4 FINDING=message TESTS=2
// RUN: -DCASE=5 FINDING=message TESTS=2
// RUN: -DCASE=6 FINDING=message TESTS=2
// RUN: -DCASE=7 FINDING=message TESTS=2
// RUN: -DCASE=8 FINDING=message TESTS=2
#include "start.h"

static void run(void)
{
    int a = 0, b = 0;
    MPI_Datatype type;
    MPI_Request q = 99;
    (void)type, (void)q, (void)b;
    if (rank)
        return;
#if CASE == 0
    MPI_Send(&a, 1, MPI_INT, 2, 0, WORLD);
#elif CASE == 1
    MPI_Send(&a, -1, MPI_INT, 1, 0, WORLD);
#elif CASE == 2
    MPI_Send(&a, 1, MPI_INT, 1, -5, WORLD);
#elif CASE == 3
    MPI_Recv(&a, 1, MPI_DATATYPE_NULL, 1, 0, WORLD, IGNORE);
#elif CASE == 4
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Send(&a, 1, type, 1, 0, WORLD);
#elif CASE == 5
    MPI_Barrier(MPI_COMM_NULL);
#elif CASE == 6
    MPI_Wait(&q, IGNORE);
#elif CASE == 7
    MPI_Bcast(&a, 1, MPI_INT, 2, WORLD);
#else
    MPI_Reduce(&a, &b, 1, MPI_DOUBLE, MPI_BAND, 0, WORLD);
#endif
}
