// What is assumed away is no test: 9 pairs, 3 of them ordered.
// EXPECT: complete
// TESTS: 3
// DFS: yes
#include <heddle.h>

int a, b;

int main(void)
{
    a = (int)heddle_choose(3);
    b = (int)heddle_choose(3);
    heddle_assume(a < b);
}
