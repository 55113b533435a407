// EXPECT: finding double-free
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    free(p);
    free(p);
}
