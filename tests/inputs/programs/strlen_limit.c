// A name that is longer than its buffer.
// EXPECT: finding use-after-free
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
