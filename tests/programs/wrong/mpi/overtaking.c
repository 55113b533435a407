// Rank 1 sends before rank 2 does, and tells it; yet the message of rank 2 may come first.
// OPTIONS: --np=3 --mpi-buffer=eager
// EXPECT: finding assertion at 18
// DFS: yes
#include "start.h"

static void run(void)
{
    int a = rank;
    if (rank == 1) {
        MPI_Send(&a, 1, MPI_INT, 0, 0, WORLD);
        MPI_Send(&a, 1, MPI_INT, 2, 0, WORLD);
    } else if (rank == 2) {
        MPI_Recv(&a, 1, MPI_INT, 1, 0, WORLD, IGNORE);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    } else {
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
        assert(a == 1);
        MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
    }
}
