// Every choice is explored.
// EXPECT: complete
// TESTS: 12
// DFS: yes
#include <heddle.h>

int picked[2];

int main(void)
{
    picked[0] = (int)heddle_choose(3);
    picked[1] = (int)heddle_choose(4);
}
