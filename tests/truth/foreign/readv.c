// Into several at once, as far as the first time.
// EXPECT: complete
// TESTS: 2
// LIBRARY: reads
#include "../several.h"

#include <assert.h>

int reads_vector(const char *path);

int main(void)
{
    assert(reads_vector("/proc/self/exe") == 3 * 4096);
    several();
    assert(reads_vector("/proc/self/exe") == 3 * 4096);
}
