// getopt stands inside an argument when the execution ends.
// EXPECT: complete
// TESTS: 2
// ARGS: -abc
#include "../several.h"

#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    assert(getopt(argc, argv, "abc") == 'a');
    assert(getopt(argc, argv, "abc") == 'b');
    several();
}
