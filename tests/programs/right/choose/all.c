// EXPECT: complete
// TESTS: 12
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned a = heddle_choose(4), b = heddle_choose(3), c = heddle_choose(1);
    assert(a < 4 && b < 3 && c == 0);
}
