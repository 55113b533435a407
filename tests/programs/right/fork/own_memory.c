// A process and its child change variables of their own at the same addresses: that is no operation, so nothing but the end
// of the child has an order.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

static int count;
static _Thread_local int own;

int main(void)
{
    int local[4] = { 0 };
    pid_t child = fork();
    for (int i = 0; i < 4; i++) {
        count += child ? 1 : 2;
        local[i] += count;
        own += local[i];
    }
    assert(count == (child ? 4 : 8) && own == (child ? 10 : 20));
    if (!child)
        _exit(0);
    assert(waitpid(child, NULL, 0) == child && count == 4 && local[3] == 4 && own == 10);
    return 0;
}
