/* followed: none; branches: 100
 * qsort and bsearch with comparisons of the program's. */
#define _GNU_SOURCE
#include "observe.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int backwards(const void *a, const void *b, void *count)
{
    ++*(int *)count;
    return compare(b, a);
}

int main(void)
{
    int array[5] = { heddle_int8("a"), heddle_int8("b"), 3, heddle_int8("c"), 7 }, count = 0;
    int key = heddle_int8("key");
    qsort(array, 5, sizeof *array, compare);
    for (int i = 0; i < 5; i++)
        observe((uint32_t)array[i]);
    int *found = bsearch(&key, array, 5, sizeof *array, compare);
    observe(found ? (uint64_t)(found - array) + 1 : 0);
    qsort_r(array, 5, sizeof *array, backwards, &count);
    observe((uint32_t)array[0]);
    observe((uint64_t)count);
    return 0;
}
