// No exception has been raised when main starts.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <fenv.h>

int main(void)
{
    assert(!fetestexcept(FE_ALL_EXCEPT));
    feraiseexcept(FE_OVERFLOW | FE_DIVBYZERO);
    assert(fetestexcept(FE_OVERFLOW));
    several();
}
