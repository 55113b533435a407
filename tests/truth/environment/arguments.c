// Arguments, their bytes and their order.
// EXPECT: complete
// TESTS: 2
// ARGS: one two
#include "../several.h"

#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(argc == 3 && !strcmp(argv[1], "one") && !strcmp(argv[2], "two"));
    argv[1][0] = 'X';
    argv[2] = argv[1];
    argv[0] = NULL;
    several();
}
