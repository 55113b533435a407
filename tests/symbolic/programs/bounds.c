/* followed: none; findings: some; branches: 50
 * An index that leaves its object is a finding, in every kind of object. */
#include "observe.h"

#include <stdlib.h>

static int table[10] = { 1, 2, 3 };
static const short fixed[6] = { 4, 5, 6, 7, 8, 9 };

__attribute__((noinline)) static int get(const int *from, int i)
{
    return from[i];
}

int main(void)
{
    int local[7] = { 9, 8, 7 }, *heap = calloc(5, sizeof *heap);
    signed char i = heddle_schar("i");
    int which = heddle_int("which") & 3;
    int r = 0;
    if (which == 0)
        r = get(table, i);
    else if (which == 1)
        r = get(local, i);
    else if (which == 2)
        r = get(heap, i);
    else
        r = fixed[i];
    heap[i & 3] = 3;
    observe((uint32_t)heap[2]);
    return r;
}
