// A descriptor of before main is read from where it stood.
// EXPECT: complete
// TESTS: 2
// ISOLATE: reset
#include "../several.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

static int before;

__attribute__((constructor)) static void start(void)
{
    before = open("/etc/passwd", O_RDONLY);
}

int main(void)
{
    char bytes[2];
    assert(read(before, bytes, 2) == 2 && bytes[0] == 'r' && bytes[1] == 'o');
    assert(lseek(before, 0, SEEK_CUR) == 2);
    several();
    assert(read(before, bytes, 2) == 2 && bytes[0] == 'o');
}
