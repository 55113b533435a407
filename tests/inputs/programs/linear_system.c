// Two equations with two unknowns.
// EXPECT: finding assertion
// INPUTS: (3 * x + 5 * y) % 2**32 == 101 and (7 * x - 2 * y) % 2**32 == 45
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned x = heddle_uint("x"), y = heddle_uint("y");
    if (3 * x + 5 * y == 101)
        if (7 * x - 2 * y == 45)
            assert(0);
    return 0;
}
