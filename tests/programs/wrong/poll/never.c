// Nothing ever comes from one of the two pipes.
// EXPECT: finding deadlock at 16
// DFS: yes
// TESTS: 1
#include <assert.h>
#include <poll.h>
#include <unistd.h>

static int a[2], b[2];

int main(void)
{
    assert(pipe(a) == 0 && pipe(b) == 0);
    struct pollfd p[] = { { a[0], POLLIN, 0 }, { b[0], POLLIN, 0 } };
    assert(poll(p, 2, 1) == 0);
    poll(p, 2, -1);
}
