// A library blocks all signals.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
#include "../several.h"

#include <assert.h>

int settings_mask(void);

int main(void)
{
    assert(settings_mask() == 0);
    several();
    assert(settings_mask() == 1);
}
