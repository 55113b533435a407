// Random numbers of a library are the same in every execution.
// EXPECT: complete
// LIBRARY: settings
// ISOLATE: reset
#include "../several.h"

#include <assert.h>

unsigned settings_random(void);

int main(void)
{
    unsigned a = settings_random(), b = settings_random();
    assert(a != b);
    if (a & 1)
        several();
    several();
}
