// Writing through the result of getenv.
// EXPECT: complete
// TESTS: 2
// ENV: TRUTH=told
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *value = getenv("TRUTH");
    assert(value && !strcmp(value, "told"));
    value[0] = 'b';
    several();
}
