// A name that is longer than its buffer: each of the lengths 0 to 5 is a test, two of them too long.
// EXPECT: finding heap-overflow
// INPUTS: len(text(arg1)) >= 4
// OPTIONS: --sym-arg=1:5
// TESTS: 6
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *name = malloc(4);
    if (argc > 1)
        strcpy(name, argv[1]);
    free(name);
    return 0;
}
