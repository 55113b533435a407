// A token goes around. Nothing is chosen but the buffering.
// OPTIONS: --np=4
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    int token = 42;
    if (rank == 0) {
        MPI_Send(&token, 1, MPI_INT, 1 % size, 0, WORLD);
        MPI_Recv(&token, 1, MPI_INT, size - 1, 0, WORLD, IGNORE);
        assert(token == 42 + size - 1);
    } else {
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, WORLD, IGNORE);
        token++;
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, WORLD);
    }
}
