// The middle of two numbers whose sum does not fit.
// EXPECT: finding assertion
// INPUTS: a <= b and not a <= ((a + b) % 2**32) // 2 <= b
// TESTS: 2
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned a = heddle_uint("a"), b = heddle_uint("b");
    heddle_assume(a <= b);
    unsigned middle = (a + b) / 2;
    assert(a <= middle && middle <= b);
    return 0;
}
