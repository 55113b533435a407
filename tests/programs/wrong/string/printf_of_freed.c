// %s of a freed block, though nothing is printed.
// EXPECT: finding use-after-free
// TESTS: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = strdup("text");
    free(p);
    printf("%d %s\n", 1, p);
}
