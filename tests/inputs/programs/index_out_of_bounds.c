// An index that is off by one at the end.
// EXPECT: finding heap-overflow
// INPUTS: i == 4
// TESTS: 6
#include <heddle.h>
#include <stdlib.h>

int main(void)
{
    unsigned i = heddle_uint("i");
    char *block = malloc(4);
    if (i <= 4)
        block[i] = 1;
    free(block);
    return 0;
}
