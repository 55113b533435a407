// A character that was pushed back.
// EXPECT: complete
// TESTS: 2
// STDIN: abc
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(getchar() == 'a');
    assert(ungetc('z', stdin) == 'z');
    several();
}
