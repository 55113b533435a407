// A duplicate moves the offset of standard input.
// EXPECT: complete
// TESTS: 2
// STDIN: abc
#include "../several.h"

#include <assert.h>
#include <unistd.h>

int main(void)
{
    char byte;
    int copy = dup(0);
    assert(read(copy, &byte, 1) == 1 && byte == 'a');
    assert(read(0, &byte, 1) == 1 && byte == 'b');
    several();
}
