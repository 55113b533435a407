// A char that is compared after it was widened.
// EXPECT: finding assertion
// INPUTS: c == -1
// TESTS: 2
#include <assert.h>
#include <heddle.h>

int main(void)
{
    signed char c = heddle_schar("c");
    unsigned wide = (unsigned)c;
    assert(wide != 0xffffffffu);
    return 0;
}
