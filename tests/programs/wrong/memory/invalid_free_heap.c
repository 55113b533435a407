// EXPECT: finding invalid-free
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    char *p = malloc(64);
    free(p + 16);
}
