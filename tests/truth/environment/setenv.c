// Variables that are set are gone, those that are removed are back.
// EXPECT: complete
// TESTS: 2
// ENV: TRUTH=told
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    assert(!getenv("NEW_ONE") && !strcmp(getenv("TRUTH"), "told"));
    assert(!setenv("NEW_ONE", "1", 1) && !setenv("TRUTH", "changed", 1));
    several();
    assert(!strcmp(getenv("TRUTH"), "changed"));
}
