// EXPECT: finding heap-overflow
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    char *p = malloc(13);
    p[13] = 0;
    free(p);
}
