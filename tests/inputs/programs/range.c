// An input from a range: the ends are part of it.
// OPTIONS: --exit=any
// EXPECT: finding assertion
// INPUTS: n == 12
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    long n = heddle_range(10, 12, "n");
    if (n == 10)
        return 1;
    if (n == 11)
        return 2;
    assert(n == 11);
    return 0;
}
