// Standard streams that are closed are open again.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(fileno(stdin) == 0 && fileno(stdout) == 1);
    fclose(stdin);
    fclose(stdout);
    several();
}
