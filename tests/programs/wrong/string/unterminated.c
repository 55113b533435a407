// strlen runs off the end of a heap block.
// EXPECT: finding heap-overflow
// TESTS: 1
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(4);
    memset(p, 'x', 4);
    return strlen(p) > 4;
}
