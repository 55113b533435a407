// l64a answers in a static buffer.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = l64a(4711);
    assert(a64l(text) == 4711);
    strcpy(text, "zzzzzz");
    several();
}
