// Which function is called depends on the input.
// EXPECT: finding assertion
// INPUTS: n == 2
// TESTS: 4
#include <assert.h>
#include <heddle.h>

static int zero(void)
{
    return 0;
}

static int one(void)
{
    return 1;
}

int main(void)
{
    int (*const table[3])(void) = { zero, zero, one };
    unsigned n = heddle_uint("n");
    if (n < 3)
        assert(table[n]() == 0);
    return 0;
}
