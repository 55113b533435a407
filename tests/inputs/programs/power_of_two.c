// The usual test, in which 0 is forgotten.
// EXPECT: finding assertion
// INPUTS: n == 0
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned n = heddle_uint("n");
    if ((n & (n - 1)) == 0)
        assert(n != 0);
    return 0;
}
