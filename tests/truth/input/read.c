// read(0) reads the file from its start.
// EXPECT: complete
// TESTS: 2
// STDIN: abc
#include "../several.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char text[8] = "";
    assert(read(0, text, sizeof text) == 3 && !strcmp(text, "abc"));
    several();
    assert(read(0, text, sizeof text) == 0);
}
