// Variables of the program in a section of their own.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>

__attribute__((section("apart"))) static int mine = 3;
__attribute__((section("apart"))) static int zero;

int main(void)
{
    assert(mine == 3 && zero == 0);
    mine = zero = 5;
    several();
}
