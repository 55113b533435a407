// environ is what the process was started with.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    assert(environ && getenv("PATH"));
    environ = NULL;
    several();
    assert(!getenv("PATH"));
}
