// The working directory.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    static char here[4096];
    assert(getcwd(here, sizeof here) && strcmp(here, "/usr/lib") != 0);
    assert(!chdir("/usr/lib"));
    several();
    assert(getcwd(here, sizeof here) && !strcmp(here, "/usr/lib"));
}
