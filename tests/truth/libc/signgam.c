// signgam is 0 before lgamma sets it.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <math.h>

int main(void)
{
    assert(signgam == 0);
    assert(lgamma(-0.5) > 0 && signgam == -1);
    several();
}
