// A choice and an input: each with each.
// EXPECT: complete
// TESTS: dpor=6 dfs=6 unfold=6 contextual=6 naive=6
#include <assert.h>
#include <heddle.h>

int result;

int main(void)
{
    int n = heddle_int("n");
    unsigned k = heddle_choose(3);
    if (n == (int)k + 100)
        result = 1;
    return 0;
}
