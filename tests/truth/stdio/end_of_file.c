// Standard input is at its start, and not at its end.
// EXPECT: complete
// TESTS: 2
// STDIN: abc
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(!feof(stdin));
    while (getchar() != EOF) { }
    assert(feof(stdin));
    several();
}
