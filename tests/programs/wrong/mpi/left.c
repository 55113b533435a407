// What is left at the end: requests, communicators, types, operations, messages, MPI itself.
// OPTIONS: --np=2 --mpi-buffer=eager
// RUN: -DCASE=0 FINDING=leak
// RUN: -DCASE=1 FINDING=leak
// RUN: -DCASE=2 FINDING=leak
// RUN: -DCASE=3 FINDING=leak
// RUN: -DCASE=4 FINDING=message
// RUN: -DCASE=5 FINDING=message
// RUN: -DCASE=6 FINDING=message
// RUN: -DCASE=7 FINDING=message
#include <mpi.h>
#include <stdlib.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)count, (void)type;
}

int main(int argc, char **argv)
{
    int rank, a = 0;
    MPI_Request q;
    MPI_Comm copy;
    MPI_Datatype type;
    MPI_Op op;
    (void)q, (void)copy, (void)type, (void)op, (void)add, (void)rank, (void)a;
#if CASE == 5
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if CASE == 0
    if (rank)
        MPI_Isend(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &q);
    else
        MPI_Recv(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#elif CASE == 1
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
#elif CASE == 2
    MPI_Type_contiguous(2, MPI_INT, &type);
#elif CASE == 3
    MPI_Op_create(add, 1, &op);
#elif CASE == 4
    MPI_Send(&a, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
#elif CASE == 6
    exit(0);
#endif
    MPI_Finalize();
#if CASE == 7
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    return 0;
}
