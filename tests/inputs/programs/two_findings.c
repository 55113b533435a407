// Two assertions, a value each.
// EXPECT: finding assertion at 13
// EXPECT: finding assertion at 15
// INPUTS: n == 7
// INPUTS: n == 9
// TESTS: 3
#include <assert.h>
#include <heddle.h>
int main(void)
{
    int n = heddle_int("n");
    if (n == 7)
        assert(0);
    if (n == 9)
        assert(0);
    return 0;
}
