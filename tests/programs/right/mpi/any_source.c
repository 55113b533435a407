// Every order of the senders is seen; the status tells who it was.
// OPTIONS: --np=3
// EXPECT: complete
// TESTS: 4
#include "start.h"

static void run(void)
{
    if (rank)
        MPI_Send(&rank, 1, MPI_INT, 0, rank, WORLD);
    for (int i = 1; i < size && !rank; i++) {
        int value, count;
        MPI_Status s;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &s);
        MPI_Get_count(&s, MPI_INT, &count);
        assert(value == s.MPI_SOURCE && value == s.MPI_TAG && count == 1);
    }
}
