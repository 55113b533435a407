// unsetenv and clearenv.
// EXPECT: complete
// TESTS: 2
// ENV: TRUTH=told
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    assert(getenv("TRUTH"));
    unsetenv("TRUTH");
    assert(!getenv("TRUTH"));
    several();
    clearenv();
}
