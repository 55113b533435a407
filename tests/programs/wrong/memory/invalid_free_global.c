// EXPECT: finding invalid-free
// TESTS: 1
#include <stdlib.h>

static char global[32];

int main(void)
{
    char *volatile p = global;
    free(p);
}
