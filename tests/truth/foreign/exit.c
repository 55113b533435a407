// A library ends the process.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
#include "../several.h"

#include <assert.h>

void settings_exit(int status);

int main(void)
{
    several();
    settings_exit(0);
    assert(0);
}
