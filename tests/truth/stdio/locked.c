// flockfile without funlockfile.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(!ftrylockfile(stdin));
    several();
}
