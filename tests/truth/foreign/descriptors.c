// A library leaves descriptors open.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
// RANDOM: 200
#include "../several.h"

#include <assert.h>

int settings_open(void);

int main(void)
{
    int first = settings_open();
    assert(first >= 0 && first < 32);
    for (int i = 0; i < 50; i++)
        settings_open();
    several();
}
