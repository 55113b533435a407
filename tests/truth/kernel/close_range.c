// Closing the standard streams.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    assert(fcntl(0, F_GETFD) >= 0 && fcntl(1, F_GETFD) >= 0);
    close(0);
    close(1);
    several();
    assert(fcntl(0, F_GETFD) < 0);
}
