// Greatest common divisor, small numbers.
// EXPECT: finding assertion
// INPUTS: a == 6 and b == 4
// TESTS: 9
#include <assert.h>
#include <heddle.h>

static unsigned gcd(unsigned a, unsigned b)
{
    return b ? gcd(b, a % b) : a;
}

int main(void)
{
    unsigned a = (unsigned)heddle_range(1, 7, "a"), b = (unsigned)heddle_range(1, 7, "b");
    if (gcd(a, b) == 2)
        if (a == 6)
            assert(b != 4);
    return 0;
}
