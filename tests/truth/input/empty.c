// Without standard input there is nothing to read.
// EXPECT: complete
// TESTS: 2
// STDIN: 
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(getchar() == EOF && feof(stdin));
    several();
}
