// Standard streams have no orientation when main starts.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    assert(fwide(stdin, 0) == 0);
    assert(fwide(stdin, 1) > 0);
    several();
}
