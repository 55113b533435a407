// The program relies on rank 1 being first.
// OPTIONS: --np=3 --mpi-buffer=eager
// EXPECT: finding assertion at 16
// DFS: yes
#include "start.h"

static void run(void)
{
    int a = rank;
    if (rank)
        MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
    else
        for (int i = 1; i < size; i++) {
            MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
            // rank i, it hopes
            assert(a == i);
        }
}
