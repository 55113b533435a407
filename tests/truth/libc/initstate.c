// initstate gives back the state that the process started with.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    static char state[64];
    static char *first;
    assert(!first);
    first = initstate(1, state, sizeof state);
    assert(first && first != state);
    several();
}
