// getdate_err is 0.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <time.h>

int main(void)
{
    assert(getdate_err == 0);
    assert(!getdate("x"));
    assert(getdate_err != 0);
    several();
}
