// Nor standard output.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    assert(fwide(stdout, 0) == 0);
    fwide(stdout, 1);
    wprintf(L"%ls\n", L"wide");
    several();
}
