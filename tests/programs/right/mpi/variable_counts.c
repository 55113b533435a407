// Gatherv, scatterv and allgatherv.
// OPTIONS: --np=3
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    const int counts[] = { 1, 2, 3 }, offsets[] = { 0, 2, 5 };
    int mine[3] = { rank, rank + 10, rank + 20 }, all[8];
    memset(all, -1, sizeof all);
    MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, offsets, MPI_INT, 0, WORLD);
    if (!rank)
        assert(all[0] == 0 && all[1] == -1 && all[2] == 1 && all[3] == 11 && all[4] == -1 && all[7] == 22);
    MPI_Allgatherv(mine, rank + 1, MPI_INT, all, counts, offsets, MPI_INT, WORLD);
    assert(all[3] == 11 && all[6] == 12);
    mine[0] = mine[1] = mine[2] = -5;
    MPI_Scatterv(all, counts, offsets, MPI_INT, mine, rank + 1, MPI_INT, 2, WORLD);
    assert(mine[rank] == rank + 10 * rank);
}
