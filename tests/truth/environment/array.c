// Swapping the entries of environ.
// EXPECT: complete
// TESTS: 2
// ENV: AAA=1
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    assert(environ[0] && environ[1]);
    static char *first;
    assert(!first);
    first = environ[0];
    environ[0] = environ[1];
    environ[1] = "TRUTH=changed";
    several();
    assert(!getenv("TRUTH") || !strcmp(getenv("TRUTH"), "changed"));
}
