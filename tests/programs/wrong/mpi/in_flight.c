// A buffer is used before the request is done.
// OPTIONS: --np=2 --mpi-buffer=eager
// RUN: -DCASE=0 FINDING=data-race
// RUN: -DCASE=1 FINDING=data-race
// RUN: -DCASE=2 FINDING=data-race
// RUN: -DCASE=3 FINDING=data-race
#include "start.h"

static void run(void)
{
    int a = 1, b = 0;
    MPI_Request q, p;
    (void)b, (void)p;
#if CASE == 0
    if (!rank) {
        MPI_Isend(&a, 1, MPI_INT, 1, 0, WORLD, &q);
        a = 2;
        MPI_Wait(&q, IGNORE);
    } else
        MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORE);
#elif CASE == 1
    if (!rank)
        MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD);
    else {
        MPI_Irecv(&a, 1, MPI_INT, 0, 0, WORLD, &q);
        b = a;
        MPI_Wait(&q, IGNORE);
    }
#elif CASE == 2
    if (!rank) {
        MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD);
        MPI_Send(&a, 1, MPI_INT, 1, 0, WORLD);
    } else {
        MPI_Irecv(&a, 1, MPI_INT, 0, 0, WORLD, &q);
        MPI_Irecv(&a, 1, MPI_INT, 0, 0, WORLD, &p);
        MPI_Wait(&q, IGNORE);
        MPI_Wait(&p, IGNORE);
    }
#else
    MPI_Ibcast(&a, 1, MPI_INT, 0, WORLD, &q);
    if (rank)
        a = 3;
    MPI_Wait(&q, IGNORE);
#endif
}
