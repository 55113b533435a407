// Into a structure.
// EXPECT: complete
// TESTS: 2
// LIBRARY: reads
#include "../several.h"

#include <assert.h>

int reads_size(const char *path);

int main(void)
{
    assert(reads_size("/etc/passwd") == 0);
    several();
    assert(reads_size("/etc/passwd") == 1);
}
