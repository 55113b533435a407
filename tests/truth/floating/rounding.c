// The rounding direction is to nearest when main starts.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <fenv.h>

int main(void)
{
    assert(fegetround() == FE_TONEAREST);
    assert(!fesetround(FE_UPWARD));
    several();
}
