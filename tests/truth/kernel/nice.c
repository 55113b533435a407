// The priority.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    int before = getpriority(PRIO_PROCESS, 0);
    static int first = -100;
    assert(first == -100);
    first = before;
    assert(nice(1) == (before < 19 ? before + 1 : 19));
    several();
}
