// A loop that runs as often as the input says.
// EXPECT: complete
// TESTS: 6
#include <assert.h>
#include <heddle.h>

int rounds;

int main(void)
{
    unsigned char n = heddle_uchar("n");
    heddle_assume(n <= 5);
    for (int i = 0; i < n; i++)
        rounds++;
    assert(rounds == n);
    return 0;
}
