// Two ranks exchange values without a deadlock, whatever the buffering.
// OPTIONS: --np=2
// RUN: -DHOW=0 EXPECT=complete TESTS=2
// RUN: -DHOW=1 EXPECT=complete TESTS=2
// RUN: -DHOW=2 EXPECT=complete TESTS=2
// RUN: -DHOW=3 EXPECT=complete TESTS=2
// RUN: -DHOW=4 EXPECT=complete TESTS=2
// RUN: -DHOW=5 EXPECT=complete TESTS=2
#include "start.h"

static void run(void)
{
    int mine = rank + 10, other = -1, to = !rank;
    MPI_Request q[2];
#if HOW == 0
    MPI_Sendrecv(&mine, 1, MPI_INT, to, 0, &other, 1, MPI_INT, to, 0, WORLD, IGNORE);
#elif HOW == 1
    MPI_Irecv(&other, 1, MPI_INT, to, 0, WORLD, &q[0]);
    MPI_Send(&mine, 1, MPI_INT, to, 0, WORLD);
    MPI_Wait(&q[0], IGNORE);
#elif HOW == 2
    MPI_Isend(&mine, 1, MPI_INT, to, 0, WORLD, &q[0]);
    MPI_Recv(&other, 1, MPI_INT, to, 0, WORLD, IGNORE);
    MPI_Wait(&q[0], IGNORE);
#elif HOW == 3
    MPI_Irecv(&other, 1, MPI_INT, to, 0, WORLD, &q[0]);
    MPI_Isend(&mine, 1, MPI_INT, to, 0, WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    assert(q[0] == MPI_REQUEST_NULL && q[1] == MPI_REQUEST_NULL);
#elif HOW == 4
    if (rank) {
        MPI_Ssend(&mine, 1, MPI_INT, to, 0, WORLD);
        MPI_Recv(&other, 1, MPI_INT, to, 0, WORLD, IGNORE);
    } else {
        MPI_Recv(&other, 1, MPI_INT, to, 0, WORLD, IGNORE);
        MPI_Ssend(&mine, 1, MPI_INT, to, 0, WORLD);
    }
#else
    MPI_Recv_init(&other, 1, MPI_INT, to, 0, WORLD, &q[0]);
    MPI_Send_init(&mine, 1, MPI_INT, to, 0, WORLD, &q[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
#endif
    assert(other == to + 10 && mine == rank + 10);
}
