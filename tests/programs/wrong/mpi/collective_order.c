// Ranks that disagree about collective calls: which, from which root, with which operation, type or count.
// OPTIONS: --np=2
// RUN: -DCASE=0 FINDING=message
// RUN: -DCASE=1 FINDING=message
// RUN: -DCASE=2 FINDING=message
// RUN: -DCASE=3 FINDING=message
// RUN: -DCASE=4 FINDING=message
// RUN: -DCASE=5 FINDING=deadlock
// RUN: -DCASE=6 FINDING=message
#include "start.h"

static void run(void)
{
    int a[2] = { 0 }, b[2] = { 0 };
    (void)a, (void)b;
#if CASE == 0
    if (rank) {
        MPI_Barrier(WORLD);
        MPI_Bcast(a, 1, MPI_INT, 0, WORLD);
    } else {
        MPI_Bcast(a, 1, MPI_INT, 0, WORLD);
        MPI_Barrier(WORLD);
    }
#elif CASE == 1
    MPI_Bcast(a, 1, MPI_INT, rank, WORLD);
#elif CASE == 2
    MPI_Allreduce(a, b, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, WORLD);
#elif CASE == 3
    MPI_Bcast(a, rank + 1, MPI_INT, 0, WORLD);
#elif CASE == 4
    MPI_Allreduce(a, b, 1, rank ? MPI_INT : MPI_FLOAT, MPI_SUM, WORLD);
#elif CASE == 5
    if (rank)
        MPI_Barrier(WORLD);
    else
        MPI_Recv(a, 1, MPI_INT, 1, 0, WORLD, IGNORE);
#else
    if (rank)
        MPI_Barrier(WORLD);
#endif
}
