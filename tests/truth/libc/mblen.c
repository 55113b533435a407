// Multibyte functions without a state keep one of their own.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    wchar_t wide;
    assert(setlocale(LC_CTYPE, "C.UTF-8"));
    assert(mbrtowc(&wide, "\xe2\x82", 2, NULL) == (size_t)-2);
    several();
}
