// Threads of a rank that call MPI: each talks to one rank.
// OPTIONS: --np=2 --mpi-buffer=eager
// EXPECT: complete
// TESTS: 6
// DFS: yes
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *receive(void *tag)
{
    int got;
    MPI_Recv(&got, 1, MPI_INT, 1, (int)(long)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(got == 10 + (int)(long)tag);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    assert(level == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank)
        for (int tag = 0; tag < 2; tag++) {
            int value = 10 + tag;
            MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        }
    else {
        pthread_t thread;
        pthread_create(&thread, NULL, receive, (void *)1);
        receive((void *)0);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
