// A receive from any source that was posted first gets what comes first; the one behind it gets the rest.
// OPTIONS: --np=3 --mpi-buffer=eager
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    int a = -1, b = -1;
    MPI_Request q[2];
    MPI_Status s[2];
    if (rank) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        return;
    }
    MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &q[0]);
    MPI_Irecv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &q[1]);
    MPI_Waitall(2, q, s);
    assert(a + b == 3 && a == s[0].MPI_SOURCE && b == s[1].MPI_SOURCE);
}
