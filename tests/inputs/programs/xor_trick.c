// Bits are mixed and taken apart again.
// EXPECT: finding assertion
// INPUTS: ((x << 13 & 0xffffffff) ^ x) == 0xdeadbeef
// TESTS: 2
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned x = heddle_uint("x");
    if ((x << 13 ^ x) == 0xdeadbeef)
        assert(0);
    return 0;
}
