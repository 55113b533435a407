// So does stdio, whose buffer is ahead of what was read.
// EXPECT: complete
// TESTS: 2
// STDIN: 42 43\n
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 0;
    assert(scanf("%d", &n) == 1 && n == 42);
    several();
    assert(scanf("%d", &n) == 1 && n == 43);
}
