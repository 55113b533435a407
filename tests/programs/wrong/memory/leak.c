// EXPECT: finding leak
// TESTS: 1
// OPTIONS: --leaks
#include <stdlib.h>

static char *volatile kept;

int main(void)
{
    kept = malloc(8);
}
