// Lines up to the end.
// EXPECT: complete
// TESTS: 2
// STDIN: a\nb\nc\n
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    static char line[16];
    int lines = 0;
    while (fgets(line, sizeof line, stdin))
        lines++;
    assert(lines == 3);
    several();
}
