// errno is 0 when main and a thread start.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <errno.h>

static void *starts(void *unused)
{
    assert(errno == 0);
    errno = 6;
    return unused;
}

int main(void)
{
    assert(errno == 0);
    pthread_t t;
    errno = 5;
    pthread_create(&t, NULL, starts, NULL);
    pthread_join(t, NULL);
    assert(errno == 5);
    several();
    errno = 7;
}
