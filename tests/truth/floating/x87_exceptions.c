// Nor by an operation on long doubles.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <fenv.h>

int main(void)
{
    volatile long double zero = 0, one = 1;
    assert(!fetestexcept(FE_DIVBYZERO));
    one = one / zero;
    assert(fetestexcept(FE_DIVBYZERO));
    several();
}
