// Descriptors that are left open are closed.
// EXPECT: complete
// TESTS: 2
// RANDOM: 300
#include "../several.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int first = open("/etc/passwd", O_RDONLY);
    assert(first >= 0 && first < 32);
    for (int i = 0; i < 100; i++)
        assert(dup(first) >= 0);
    several();
}
