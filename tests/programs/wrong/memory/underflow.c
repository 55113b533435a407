// EXPECT: finding heap-overflow
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    int *p = malloc(16);
    int x = p[-1];
    free(p);
    return x;
}
