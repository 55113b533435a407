// A rule with an exception to its exception.
// EXPECT: finding assertion
// INPUTS: year % 400 == 0
// TESTS: 4
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int year = (int)heddle_range(1600, 2400, "year"), leap = 0;
    if (year % 4 == 0)
        leap = 1;
    if (leap && year % 100 == 0)
        leap = 0;
    if (year % 400 == 0)
        assert(leap);
    return 0;
}
