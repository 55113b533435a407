// The results of collective calls, with and without buffering.
// OPTIONS: --np=3
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    int one = rank + 1, all[3], sum = 0, three[3] = { rank, rank + 10, rank + 20 };
    MPI_Barrier(WORLD);
    int sent = rank == 1 ? 77 : 0;
    MPI_Bcast(&sent, 1, MPI_INT, 1, WORLD);
    assert(sent == 77);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 2, WORLD);
    assert(sum == (rank == 2 ? 6 : 0));
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_MAX, WORLD);
    assert(sum == 3);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, WORLD);
    assert(sum == (rank + 1) * (rank + 2) / 2);
    sum = -1;
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_PROD, WORLD);
    assert(sum == (rank == 0 ? -1 : rank));
    memset(all, 0, sizeof all);
    MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, WORLD);
    assert(all[2] == (rank ? 0 : 3));
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, WORLD);
    assert(all[0] == 1 && all[1] == 2 && all[2] == 3);
    MPI_Scatter(all, 1, MPI_INT, &sum, 1, MPI_INT, 1, WORLD);
    assert(sum == rank + 1);
    MPI_Alltoall(three, 1, MPI_INT, all, 1, MPI_INT, WORLD);
    for (int i = 0; i < 3; i++)
        assert(all[i] == i + 10 * rank);
    sum = rank;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_BOR, WORLD);
    assert(sum == 3);
}
