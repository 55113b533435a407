// An index into a string literal that is off by one.
// EXPECT: finding out-of-bounds
// INPUTS: i == 4
// TESTS: 6
#include <heddle.h>

static int total;

int main(void)
{
    unsigned i = heddle_uint("i");
    const char *other = "other", *empty = "";
    if (i <= 4)
        total += "abc"[i];
    else
        total += other[2] + empty[0];
    return 0;
}
