// The environment has nothing that the dynamic linker was told by heddle.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    assert(!getenv("LD_BIND_NOW"));
    several();
}
