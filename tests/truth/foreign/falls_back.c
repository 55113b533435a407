// What a library does outside of the process leads to fork isolation.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
#include "../several.h"

#include <assert.h>

int settings_make_directory(void);

int main(void)
{
    static int calls;
    assert(calls++ == 0);
    assert(settings_make_directory() == -1);
    several();
}
