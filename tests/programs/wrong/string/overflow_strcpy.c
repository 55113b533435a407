// EXPECT: finding heap-overflow
// TESTS: 1
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(4);
    strcpy(p, "four");
    free(p);
}
