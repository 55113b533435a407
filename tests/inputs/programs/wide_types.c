// Inputs of eight bytes, one of each sign.
// EXPECT: finding assertion
// INPUTS: a == 2**40 + 3 and b == -7
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned long a = heddle_ulong("a");
    long b = heddle_long("b");
    if (a == (1ul << 40) + 3)
        if (b == -7)
            assert(0);
    return 0;
}
