// A library changes the working directory.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
#include "../several.h"

#include <assert.h>

int settings_move(void);

int main(void)
{
    assert(settings_move() == 0);
    several();
    assert(settings_move() == 1);
}
