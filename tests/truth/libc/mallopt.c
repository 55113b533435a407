// mallopt sets nothing for the next execution.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <malloc.h>
#include <stdio.h>

int main(void)
{
    static char buffer[16];
    assert(mallopt(M_PERTURB, 0xff));
    char *line = NULL;
    snprintf(buffer, sizeof buffer, "x");
    assert(!line && mallopt(M_MMAP_THRESHOLD, 64));
    several();
}
