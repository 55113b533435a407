// umask is as the process was started.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <sys/stat.h>

int main(void)
{
    mode_t first = umask(077);
    assert(first != 077);
    several();
    assert(umask(0) == 077);
}
