// A variable of a library that plain gcc compiled.
// EXPECT: complete
// TESTS: 2
// LIBRARY: keeps
#include "../several.h"

#include <assert.h>

int keeps_calls(void);
int keeps_ready(void);

int main(void)
{
    assert(keeps_calls() == 0 && keeps_ready() == 8);
    several();
    assert(keeps_calls() == 1 && keeps_ready() == 9);
}
