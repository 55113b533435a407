// Kernighan's way to count bits: a round for every bit.
// EXPECT: complete
// TESTS: 7
#include <assert.h>
#include <heddle.h>

int bits;

int main(void)
{
    unsigned char n = heddle_uchar("n");
    heddle_assume(n < 64);
    for (; n; n &= n - 1)
        bits++;
    assert(bits <= 6);
    return 0;
}
