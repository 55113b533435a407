// Standard input that is redirected.
// EXPECT: complete
// TESTS: 2
// STDIN: abc
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(getchar() == 'a');
    assert(freopen("/etc/passwd", "r", stdin));
    assert(getchar() == 'r');
    several();
}
