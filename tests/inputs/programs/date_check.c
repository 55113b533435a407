// The last day of February, with a mistake for leap years.
// EXPECT: finding assertion
// INPUTS: month == 2 and day == 29
// TESTS: 4
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int month = (int)heddle_range(1, 12, "month"), day = (int)heddle_range(1, 31, "day");
    int last = 31;
    if (month == 2)
        last = 29;
    if (day == last)
        assert(month != 2);
    return 0;
}
