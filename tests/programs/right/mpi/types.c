// Derived datatypes: what is sent with one is received with another of the same elements.
// OPTIONS: --np=2
// EXPECT: complete
// TESTS: 2
#include "start.h"
#include <stddef.h>

struct pair {
    int number;
    double value;
};

static void run(void)
{
    MPI_Datatype column, triple, record;
    int matrix[3][4] = { { 0 } }, line[3] = { 0 };
    struct pair pairs[2] = { { 0 } };
    const int lengths[] = { 1, 1 };
    const MPI_Aint offsets[] = { offsetof(struct pair, number), offsetof(struct pair, value) };
    const MPI_Datatype types[] = { MPI_INT, MPI_DOUBLE };
    MPI_Aint lower, extent;
    int bytes;
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_contiguous(3, MPI_INT, &triple);
    MPI_Type_create_struct(2, lengths, offsets, types, &record);
    MPI_Type_commit(&column);
    MPI_Type_commit(&triple);
    MPI_Type_commit(&record);
    MPI_Type_get_extent(record, &lower, &extent);
    MPI_Type_size(column, &bytes);
    assert(extent == sizeof(struct pair) && bytes == 3 * sizeof(int));
    if (!rank) {
        for (int i = 0; i < 3; i++)
            matrix[i][2] = i + 1;
        MPI_Send(&matrix[0][2], 1, column, 1, 0, WORLD);
        MPI_Send(line, 3, MPI_INT, 1, 0, WORLD);
        pairs[1] = (struct pair) { 7, 1.5 };
        MPI_Send(pairs, 2, record, 1, 0, WORLD);
    } else {
        MPI_Recv(line, 1, triple, 0, 0, WORLD, IGNORE);
        assert(line[0] == 1 && line[2] == 3);
        MPI_Recv(&matrix[0][1], 1, column, 0, 0, WORLD, IGNORE);
        MPI_Recv(pairs, 2, record, 0, 0, WORLD, IGNORE);
        assert(pairs[1].number == 7 && pairs[1].value == 1.5);
    }
    MPI_Type_free(&column);
    MPI_Type_free(&triple);
    MPI_Type_free(&record);
}
