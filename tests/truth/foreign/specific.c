// Keys of a library, real ones.
// EXPECT: complete
// TESTS: 2
// LIBRARY: keeps
#include "../several.h"

#include <assert.h>

long keeps_specific(void);

int main(void)
{
    assert(keeps_specific() == 0 && keeps_specific() == 1);
    several();
}
