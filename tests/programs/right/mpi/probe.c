// A probe tells how long the message is that the next receive gets.
// OPTIONS: --np=2
// EXPECT: complete
// TESTS: 2
// DFS: yes
#include "start.h"

static void run(void)
{
    if (rank) {
        int data[3] = { 1, 2, 3 };
        MPI_Send(data, 3, MPI_INT, 0, 4, WORLD);
        return;
    }
    MPI_Status s;
    int count;
    MPI_Probe(1, MPI_ANY_TAG, WORLD, &s);
    MPI_Get_count(&s, MPI_INT, &count);
    assert(count == 3 && s.MPI_TAG == 4);
    int *data = malloc((size_t)count * sizeof *data);
    MPI_Recv(data, count, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, WORLD, IGNORE);
    assert(data[2] == 3);
    free(data);
}
