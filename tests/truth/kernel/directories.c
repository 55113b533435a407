// Directories that are left open.
// EXPECT: complete
// TESTS: 2
// RANDOM: 3000
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <dirent.h>

int main(void)
{
    DIR *d = opendir("/etc");
    assert(d && dirfd(d) < 32);
    assert(readdir(d));
    several();
}
