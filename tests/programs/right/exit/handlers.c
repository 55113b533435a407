// exit runs handlers, the last first; _exit runs none.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int order;

static void second(void)
{
    assert(order == 1);
    _exit(0);
}

static void first(void)
{
    order = 1;
}

static void never(void)
{
    assert(0);
}

int main(void)
{
    atexit(never);
    atexit(second);
    atexit(first);
    at_quick_exit(never);
    exit(3);
}
