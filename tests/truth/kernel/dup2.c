// A descriptor that dup2 takes is free again.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    assert(fcntl(77, F_GETFD) < 0);
    int f = open("/etc/passwd", O_RDONLY);
    assert(dup2(f, 77) == 77 && !close(f));
    several();
}
