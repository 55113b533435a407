// One product of many.
// EXPECT: finding assertion
// INPUTS: (a * b) % 2**32 == 1234567 and a > 1 and b > 1
// TESTS: 4
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned a = heddle_uint("a"), b = heddle_uint("b");
    if (a > 1 && b > 1)
        if (a * b == 1234567)
            assert(0);
    return 0;
}
