// What the C library allocates is given back.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <malloc.h>
#include <stdio.h>

int main(void)
{
    static char text[64];
    struct mallinfo2 before = mallinfo2();
    FILE *left = fopen("/proc/self/stat", "r");
    assert(left && fgets(text, sizeof text, left));
    struct mallinfo2 after = mallinfo2();
    assert(after.uordblks > before.uordblks);
    several();
    static size_t first;
    assert(!first);
    first = before.uordblks;
}
