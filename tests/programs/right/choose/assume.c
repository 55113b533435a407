// Of 5 × 5 pairs those with a < b: 10. The others are no tests.
// EXPECT: complete
// TESTS: 10
#include <heddle.h>

int main(void)
{
    unsigned a = heddle_choose(5), b = heddle_choose(5);
    heddle_assume(a < b);
}
