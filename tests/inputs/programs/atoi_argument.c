// A number on the command line.
// EXPECT: finding assertion
// INPUTS: int(text(arg1)) == 42
// OPTIONS: --sym-arg=1:2
// TESTS: 18
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]) == 42)
        assert(0);
    return 0;
}
