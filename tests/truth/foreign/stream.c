// A stream that a library keeps open.
// EXPECT: complete
// TESTS: 2
// LIBRARY: keeps
// RANDOM: 3000
#include "../several.h"

#include <assert.h>

int keeps_stream(void);

int main(void)
{
    assert(keeps_stream() == 'r' && keeps_stream() == 'o');
    several();
}
