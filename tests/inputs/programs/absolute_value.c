// The least number has no absolute value.
// EXPECT: finding assertion
// INPUTS: n == -2**31
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int n = heddle_int("n");
    int positive = n < 0 ? (int)(0u - (unsigned)n) : n;
    assert(positive >= 0);
    return 0;
}
