// Both conditions cannot hold: nothing is found, and that is known.
// EXPECT: complete
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned n = heddle_uint("n");
    if (n > 10 && n < 20)
        assert(n * 2 < 39);
    return 0;
}
