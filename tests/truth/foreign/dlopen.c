// A library loads others.
// EXPECT: complete
// TESTS: 2
// LIBRARY: loads
#include "../several.h"

#include <assert.h>

double loads_sine(double x);

int main(void)
{
    assert(loads_sine(0) == 0);
    several();
    assert(loads_sine(0) == 0);
}
