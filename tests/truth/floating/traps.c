// feenableexcept is undone.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <fenv.h>

int main(void)
{
    assert(fegetexcept() == 0);
    feenableexcept(FE_INVALID);
    several();
}
