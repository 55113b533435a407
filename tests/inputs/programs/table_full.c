// More expressions than there is room for: from there on values are followed concretely, which is said.
// EXPECT: concrete
// TESTS: dpor=2
#include <assert.h>
#include <heddle.h>

static unsigned computed_from(unsigned start)
{
    for (unsigned i = 0; i < 1450000; i++)
        start = start * 5 + i;
    return start;
}

int main(void)
{
    unsigned x = heddle_uint("x");
    if (x == 7)
        return 0;
    assert(computed_from(x) == computed_from(0)); /* no input is left in it, and the first x is 0 */
    return 0;
}
