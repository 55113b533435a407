// An execution that ends inside the C library leaves no lock taken.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <ftw.h>
#include <stdlib.h>

static int visit(const char *path, const struct stat *status, int flag, struct FTW *where)
{
    (void)status;
    (void)flag;
    (void)where;
    assert(path[0] == '/');
    exit(0);
}

int main(void)
{
    several();
    nftw("/etc", visit, 4, FTW_PHYS);
    return 1;
}
