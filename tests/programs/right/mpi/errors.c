// Errors that the program asks to see.
// OPTIONS: --np=1
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void run(void)
{
    int a = 0, class;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    assert(MPI_Send(&a, 1, MPI_INT, 5, 0, WORLD) == MPI_ERR_RANK);
    assert(MPI_Send(&a, -1, MPI_INT, 0, 0, WORLD) == MPI_ERR_COUNT);
    assert(MPI_Send(&a, 1, MPI_INT, 0, -7, WORLD) == MPI_ERR_TAG);
    assert(MPI_Send(&a, 1, MPI_DATATYPE_NULL, 0, 0, WORLD) == MPI_ERR_TYPE);
    assert(MPI_Barrier(MPI_COMM_NULL) == MPI_ERR_COMM);
    assert(MPI_Bcast(&a, 1, MPI_INT, 1, WORLD) == MPI_ERR_ROOT);
    MPI_Error_class(MPI_ERR_RANK, &class);
    assert(class == MPI_ERR_RANK);
}
