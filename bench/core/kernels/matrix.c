/* Multiplication of two matrices of doubles. */
#include "kernels.h"

#include <stdlib.h>

enum { SIZE = 96 };

typedef double matrix[SIZE][SIZE];

static void multiply(matrix *a, matrix *b, matrix *product)
{
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < SIZE; k++) {
            double sum = 0;
            for (int j = 0; j < SIZE; j++)
                sum += (*a)[i][j] * (*b)[j][k];
            (*product)[i][k] = sum;
        }
}

uint64_t kernel_matrix(uint32_t rounds)
{
    matrix *a = malloc(sizeof *a), *b = malloc(sizeof *b), *product = malloc(sizeof *product);
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < SIZE; k++) {
            (*a)[i][k] = i + k;
            (*b)[i][k] = i - k;
        }
    double trace = 0;
    for (uint32_t r = 0; r < rounds; r++) {
        multiply(a, b, product);
        trace += (*product)[r % SIZE][r % SIZE];
        (*a)[r % SIZE][0] += 1;
    }
    free(a);
    free(b);
    free(product);
    return (uint64_t)(int64_t)trace;
}
