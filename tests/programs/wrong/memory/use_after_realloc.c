// EXPECT: finding use-after-free
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8), *volatile old = p;
    p = realloc(p, 100);
    old[0] = 1;
    free(p);
}
