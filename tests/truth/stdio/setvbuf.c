// A buffer of the program for a stream.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    static char buffer[4096];
    FILE *f = fopen("/etc/passwd", "r");
    assert(f && !buffer[0]);
    setvbuf(f, buffer, _IOFBF, sizeof buffer);
    assert(fgetc(f) == 'r');
    several();
}
