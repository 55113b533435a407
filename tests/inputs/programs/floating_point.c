// A value that goes through floating point is not followed: the verdict says so.
// OPTIONS: --exit=any
// EXPECT: concrete
// TESTS: 1
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int n = heddle_int("n");
    double half = n / 2.0;
    if (half > 10)
        return 1;
    return 0;
}
