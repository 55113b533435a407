// h_errno and the resolver start afresh.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <netdb.h>

int main(void)
{
    assert(h_errno == 0);
    h_errno = 3;
    sethostent(1);
    several();
}
