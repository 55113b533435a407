// EXPECT: finding invalid-free
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    char local[32];
    char *volatile p = local;
    free(p);
}
