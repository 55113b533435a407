// A mask made by a shift.
// EXPECT: finding assertion
// INPUTS: k == 11
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned k = heddle_uint("k");
    if (k < 32)
        assert((1u << k) != 2048);
    return 0;
}
