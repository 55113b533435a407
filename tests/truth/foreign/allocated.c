// Memory that a library allocates, and what its constructor allocated.
// EXPECT: complete
// TESTS: 2
// LIBRARY: keeps
#include "../several.h"

#include <assert.h>

int keeps_list(void);

int main(void)
{
    assert(keeps_list() == 2);
    several();
    assert(keeps_list() == 3);
}
