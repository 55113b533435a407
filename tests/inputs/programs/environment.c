// A variable of the environment switches something on.
// EXPECT: finding assertion
// INPUTS: text(MODE) == b"x1"
// OPTIONS: --sym-env=MODE:3
// TESTS: 4
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *mode = getenv("MODE");
    if (mode && strcmp(mode, "x1") == 0)
        assert(0);
    return 0;
}
