// A library sets a signal handler.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
#include "../several.h"

#include <assert.h>

int settings_handler(void);

int main(void)
{
    assert(settings_handler() == 1);
    several();
    assert(settings_handler() == 0);
}
