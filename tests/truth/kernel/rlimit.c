// Limits are as the process was started.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit limit;
    assert(!getrlimit(RLIMIT_CORE, &limit) && limit.rlim_cur != 4711);
    limit.rlim_cur = 4711;
    limit.rlim_max = limit.rlim_max < 4711 ? 4711 : limit.rlim_max;
    several();
    if (!setrlimit(RLIMIT_CORE, &limit))
        assert(!getrlimit(RLIMIT_CORE, &limit) && limit.rlim_cur == 4711);
}
