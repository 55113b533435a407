// Receives get messages in the order in which they were posted, however they are waited for.
// OPTIONS: --np=2
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    const int tags[] = { 0, MPI_ANY_TAG, 0, 1 }, expected[] = { 0, 1, 3, 2 };
    int got[4];
    MPI_Request q[4];
    for (int i = 0; i < 4; i++)
        if (!rank)
            MPI_Send(&i, 1, MPI_INT, 1, i == 2, WORLD);
        else
            MPI_Irecv(&got[i], 1, MPI_INT, 0, tags[i], WORLD, &q[i]);
    for (int i = 3; i >= 0 && rank; i--) {
        MPI_Wait(&q[i], IGNORE);
        assert(got[i] == expected[i]);
    }
}
