// Messages are received by tag, in another order than they were sent in; those with one tag in their order.
// OPTIONS: --np=2 --mpi-buffer=eager
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include "start.h"

static void run(void)
{
    const int tags[] = { 1, 2, 1, 3 }, order[] = { 3, 1, 2, 1 }, expected[] = { 3, 0, 1, 2 };
    for (int i = 0; i < 4 && !rank; i++)
        MPI_Send(&i, 1, MPI_INT, 1, tags[i], WORLD);
    for (int i = 0, got; i < 4 && rank; i++) {
        MPI_Recv(&got, 1, MPI_INT, 0, order[i], WORLD, IGNORE);
        assert(got == expected[i]);
    }
}
