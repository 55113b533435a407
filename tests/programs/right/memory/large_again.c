// Large blocks that are freed are used again: together they would exceed the bound of the heap.
// EXPECT: complete
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 20000; i++) {
        volatile char *block = malloc(100000);
        block[99999] = 1;
        free((void *)block);
    }
    return 0;
}
