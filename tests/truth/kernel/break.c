// The break is where it was.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    char *before = sbrk(0);
    static char *first;
    assert(!first);
    first = before;
    assert(sbrk(1 << 20) == before);
    before[100] = 1;
    several();
    assert(sbrk(0) == before + (1 << 20));
}
