// The second access begins where the first did and is wider than the block.
// EXPECT: finding heap-overflow
// TESTS: 1
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    void *block = calloc(1, 4);
    uint32_t *narrow = block;
    uint64_t *wide = block;
    *narrow = 1;
    return (int)*wide;
}
