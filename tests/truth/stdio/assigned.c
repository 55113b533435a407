// stdin, stdout and stderr are variables.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(stdin && stdout && stdin != stdout);
    stdin = NULL;
    stdout = stderr;
    several();
}
