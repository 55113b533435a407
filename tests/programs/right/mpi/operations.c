// Operations of reductions, and one of the program's own, applied in the order of the ranks.
// OPTIONS: --np=3
// EXPECT: complete
// TESTS: 2
#include "start.h"

static void first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] = ((int *)in)[i];
}

static void run(void)
{
    struct {
        double value;
        int at;
    } mine = { rank == 1 ? 5 : rank, rank }, best;
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, WORLD);
    assert(best.value == 5 && best.at == 1);
    MPI_Op op;
    int digit = rank + 1, result;
    MPI_Op_create(first, 0, &op);
    MPI_Allreduce(&digit, &result, 1, MPI_INT, op, WORLD);
    assert(result == 1);
    MPI_Op_free(&op);
    double x = 0.5, y;
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, WORLD);
    assert(y == 1.5);
}
