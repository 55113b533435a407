// EXPECT: finding heap-overflow
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    char *p = malloc(0);
    p[0] = 1;
    free(p);
}
