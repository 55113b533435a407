// Communicators keep their messages apart.
// OPTIONS: --np=4
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    MPI_Comm half, copy, none;
    int r, n, got, sum;
    MPI_Comm_split(WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &r);
    MPI_Comm_size(half, &n);
    assert(n == 2 && r == (rank < 2));
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    assert(sum == (rank % 2 ? 4 : 2));
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_compare(WORLD, copy, &got);
    assert(got == MPI_CONGRUENT);
    int a = 1, b = 2;
    MPI_Request q[2];
    if (rank == 0) {
        MPI_Isend(&a, 1, MPI_INT, 1, 0, WORLD, &q[0]);
        MPI_Isend(&b, 1, MPI_INT, 1, 0, copy, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&b, 1, MPI_INT, 0, 0, copy, IGNORE);
        MPI_Recv(&a, 1, MPI_INT, 0, 0, WORLD, IGNORE);
        assert(a == 1 && b == 2);
    }
    MPI_Comm_split(WORLD, rank ? MPI_UNDEFINED : 0, 0, &none);
    assert((none == MPI_COMM_NULL) == (rank != 0));
    if (none != MPI_COMM_NULL)
        MPI_Comm_free(&none);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
}
