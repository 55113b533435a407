// The state of mbrlen is the initial one.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <locale.h>
#include <wchar.h>

int main(void)
{
    assert(setlocale(LC_CTYPE, "C.UTF-8"));
    assert(mbrlen("a", 1, NULL) == 1);
    assert(mbrlen("\xc3", 1, NULL) == (size_t)-2);
    several();
}
