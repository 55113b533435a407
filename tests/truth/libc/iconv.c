// A converter that is left open is gone.
// EXPECT: complete
// TESTS: 2
// RANDOM: 20
#include "../several.h"

#include <assert.h>
#include <iconv.h>

int main(void)
{
    static iconv_t left;
    assert(!left);
    left = iconv_open("UTF-16LE", "UTF-8");
    assert(left != (iconv_t)-1);
    several();
}
