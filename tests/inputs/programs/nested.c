// Four nested branches; the innermost fails for one value.
// EXPECT: finding assertion
// INPUTS: n == 126
// TESTS: 6
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int n = heddle_int("n");
    if (n > 100)
        if (n < 200)
            if (n % 2 == 0)
                if (n / 7 == 18)
                    assert(n != 126);
    return 0;
}
