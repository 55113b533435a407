// The kernel writes into variables of a library.
// EXPECT: complete
// TESTS: 2
// LIBRARY: reads
#include "../several.h"

#include <assert.h>

int reads_text(const char *path);
int reads_byte(int i);

int main(void)
{
    assert(reads_byte(0) == 0 && reads_byte(4096) == 0);
    int got = reads_text("/proc/self/exe");
    assert(got == 3 * 4096 && reads_byte(1) == 'E');
    several();
}
