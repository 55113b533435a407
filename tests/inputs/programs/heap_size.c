// As many bytes as the input says, and one more is written.
// EXPECT: finding heap-overflow
// INPUTS: n == 3
// TESTS: 4
#include <heddle.h>
#include <stdlib.h>

int main(void)
{
    unsigned n = (unsigned)heddle_range(1, 4, "n");
    char *block = malloc(4);
    for (unsigned i = 0; i < n; i++)
        block[i + (n == 3 ? 2 : 0)] = 1;
    free(block);
    return 0;
}
