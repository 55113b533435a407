// Flags of a descriptor.
// EXPECT: complete
// TESTS: 2
// STDIN: abc
// ISOLATE: reset
#include "../several.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    assert(!(fcntl(0, F_GETFL) & O_NONBLOCK));
    assert(!fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK));
    several();
}
