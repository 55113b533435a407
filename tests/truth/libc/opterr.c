// opterr, optopt and optind have the values that they start with.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(opterr == 1 && optopt == '?' && optind == 1 && !optarg);
    opterr = 0;
    optopt = 'x';
    optind = 7;
    optarg = "left behind";
    several();
}
