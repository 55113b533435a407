// MPI_PROC_NULL: nothing is sent, and nothing is waited for.
// OPTIONS: --np=2
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include "start.h"

static void run(void)
{
    int a = 1, b = 2;
    MPI_Status s;
    MPI_Request q;
    MPI_Send(&a, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD);
    MPI_Recv(&b, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &s);
    assert(b == 2 && s.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Irecv(&b, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &q);
    MPI_Wait(&q, &s);
    MPI_Sendrecv(&a, 1, MPI_INT, rank ? MPI_PROC_NULL : 1, 0, &b, 1, MPI_INT, rank ? 0 : MPI_PROC_NULL, 0, WORLD, &s);
    assert(b == (rank ? 1 : 2));
}
