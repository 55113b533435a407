// Streams that are left open, half read.
// EXPECT: complete
// TESTS: 2
// RANDOM: 400
#include "../several.h"

#include <assert.h>
#include <stdio.h>

int main(void)
{
    for (int i = 0; i < 20; i++) {
        FILE *f = fopen("/etc/passwd", "r");
        assert(f && fileno(f) < 64 && fgetc(f) == 'r' && fgetc(f) == 'o');
    }
    several();
}
