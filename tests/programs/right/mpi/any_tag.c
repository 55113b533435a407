// Any tag from one sender: the order of sending.
// OPTIONS: --np=2
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include "start.h"

static void run(void)
{
    for (int i = 0; i < 3; i++)
        if (!rank)
            MPI_Send(&i, 1, MPI_INT, 1, 7 - i, WORLD);
        else {
            int got;
            MPI_Status s;
            MPI_Recv(&got, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &s);
            assert(got == i && s.MPI_TAG == 7 - i);
        }
}
