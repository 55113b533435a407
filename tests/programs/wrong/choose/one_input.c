// One of ten choices fails.
// EXPECT: finding assertion
// TESTS: 10
// DFS: yes
#include <assert.h>
#include <heddle.h>

int main(void)
{
    assert(heddle_choose(10) != 7);
}
