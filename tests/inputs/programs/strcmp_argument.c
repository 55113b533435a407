// An argument is compared with a word.
// EXPECT: finding assertion
// INPUTS: text(arg1) == b"--fast"
// OPTIONS: --sym-arg=1:8
// TESTS: 8
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--fast") == 0)
        assert(0);
    return 0;
}
