// strtok cuts an argument to pieces.
// EXPECT: complete
// TESTS: 2
// ARGS: 1,2,3
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int sum = 0;
    (void)argc;
    for (char *word = strtok(argv[1], ","); word; word = strtok(NULL, ","))
        sum += atoi(word);
    assert(sum == 6);
    several();
}
