// Thread-locals of a library.
// EXPECT: complete
// TESTS: 2
// LIBRARY: keeps
#include "../several.h"

#include <assert.h>

int keeps_calls_here(void);

int main(void)
{
    assert(keeps_calls_here() == 0);
    several();
}
