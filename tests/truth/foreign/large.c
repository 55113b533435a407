// A megabyte of variables of a library.
// EXPECT: complete
// TESTS: 2
// LIBRARY: keeps
// RANDOM: 3000
#include "../several.h"

#include <assert.h>

int keeps_large(void);

int main(void)
{
    assert(keeps_large() == 0);
    several();
    assert(keeps_large() == 256);
}
