// localeconv gives the C locale.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <locale.h>
#include <string.h>

int main(void)
{
    struct lconv *conventions = localeconv();
    assert(!strcmp(conventions->decimal_point, "."));
    conventions->decimal_point = ",";
    assert(!*conventions->thousands_sep);
    conventions->thousands_sep = ".";
    several();
}
