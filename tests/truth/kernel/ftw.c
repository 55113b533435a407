// The execution ends inside ftw, which has descriptors open.
// EXPECT: complete
// TESTS: 2
// RANDOM: 3000
#include "../several.h"

#include <assert.h>
#include <ftw.h>
#include <stdlib.h>

static int visit(const char *path, const struct stat *status, int flag)
{
    (void)path;
    (void)status;
    (void)flag;
    exit(0);
}

int main(void)
{
    several();
    ftw("/etc", visit, 8);
    return 1;
}
