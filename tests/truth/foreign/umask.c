// A library changes the umask.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
#include "../several.h"

#include <assert.h>

int settings_umask(void);

int main(void)
{
    assert(settings_umask() != 0123);
    several();
    assert(settings_umask() == 0123);
}
