// A temporary file is gone.
// EXPECT: complete
// TESTS: 2
// RANDOM: 20
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    static FILE *left;
    assert(!left);
    left = tmpfile();
    assert(left && fputs("left", left) >= 0);
    several();
}
