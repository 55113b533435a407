// One side, the other side.
// OPTIONS: --exit=any
// EXPECT: complete
// TESTS: 2
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int n = heddle_int("n");
    if (n == 42)
        return 1;
    return 0;
}
