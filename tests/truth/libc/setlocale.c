// The locale is "C" when main starts.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <locale.h>
#include <string.h>

int main(void)
{
    assert(!strcmp(setlocale(LC_ALL, NULL), "C"));
    assert(setlocale(LC_CTYPE, "C.UTF-8"));
    several();
}
