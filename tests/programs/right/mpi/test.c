// A test finds a request done or not; both are explored.
// OPTIONS: --np=2 --mpi-buffer=eager
// EXPECT: complete
// TESTS: 2
// BLOCKED: 1
// DFS: yes
#include "start.h"

static void run(void)
{
    int got = 0, flag;
    MPI_Request q;
    if (rank) {
        got = 5;
        MPI_Send(&got, 1, MPI_INT, 0, 0, WORLD);
        return;
    }
    MPI_Irecv(&got, 1, MPI_INT, 1, 0, WORLD, &q);
    MPI_Test(&q, &flag, IGNORE);
    assert(flag == (q == MPI_REQUEST_NULL));
    if (!flag)
        MPI_Wait(&q, IGNORE);
    assert(got == 5);
}
