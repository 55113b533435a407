// The thread has the global locale when main starts.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <locale.h>

int main(void)
{
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    locale_t other = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    assert(other && uselocale(other) == LC_GLOBAL_LOCALE);
    several();
}
