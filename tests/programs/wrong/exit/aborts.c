// EXPECT: finding abort
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    abort();
}
