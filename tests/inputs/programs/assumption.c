// What is assumed away is no test.
// OPTIONS: --exit=any
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int n = heddle_int("n");
    heddle_assume(n > 100);
    if (n == 50)
        assert(0);
    if (n == 150)
        return 1;
    return 0;
}
