// One byte more than the block has.
// EXPECT: finding heap-overflow
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *block = calloc(1, 8);
    memfrob(block, 9);
    free(block);
    return 0;
}
