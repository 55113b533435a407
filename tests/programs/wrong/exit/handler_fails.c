// EXPECT: finding assertion
// TESTS: 1
#include <assert.h>
#include <stdlib.h>

static int state = 1;

static void at_end(void)
{
    assert(state == 0);
}

int main(void)
{
    atexit(at_end);
}
