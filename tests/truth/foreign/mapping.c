// A library leaves mappings behind: 64 MB in every execution.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
// RANDOM: 60
#include "../several.h"

#include <assert.h>
#include <stddef.h>

char *settings_map(size_t bytes);

int main(void)
{
    assert(settings_map(64 << 20)[0] == 1);
    several();
}
