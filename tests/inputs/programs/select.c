// The smaller and the larger of two numbers.
// EXPECT: finding assertion
// INPUTS: min(a, b) == 3 and max(a, b) == 9
// TESTS: 6
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int a = heddle_int("a"), b = heddle_int("b");
    int small = a < b ? a : b, large = a < b ? b : a;
    if (small == 3)
        if (large == 9)
            assert(0);
    return 0;
}
