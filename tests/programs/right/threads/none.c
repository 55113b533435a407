// No threads at all: one execution.
// EXPECT: complete
// TESTS: 1
// DFS: yes
#include <assert.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += i;
    assert(sum == 4950);
}
