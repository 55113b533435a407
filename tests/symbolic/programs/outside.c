/* followed: none; findings: none; branches: 20
 * Within bounds nothing is found; a pointer behind the end of an object may
 * come back. */
#include "observe.h"

#include <stdlib.h>

static int first[4] = { 1, 2, 3, 4 }, second[4] = { 5, 6, 7, 8 };

__attribute__((noinline)) static int from_end(const int *end, unsigned back)
{
    return end[-(long)back];
}

int main(void)
{
    unsigned i = heddle_uint("i") & 3;
    int local[4] = { 1, 2, 3, 4 }, *heap = calloc(4, sizeof *heap);
    heap[i] = 7;
    int r = first[i] + second[i] + local[i] + heap[3 - i];
    r += from_end(first + 4, i + 1) + from_end(second + 4, i + 1) + from_end(heap + 4, i + 1);
    r += from_end(local + 4, i + 1);
    free(heap);
    observe((uint32_t)r);
    return 0;
}
