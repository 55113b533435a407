// Kinds of triangles; one case is forgotten.
// EXPECT: finding assertion
// INPUTS: a == c != b
// TESTS: 3
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int a = (int)heddle_range(1, 100, "a"), b = (int)heddle_range(1, 100, "b"), c = (int)heddle_range(1, 100, "c");
    heddle_assume(a + b > c);
    heddle_assume(a + c > b);
    heddle_assume(b + c > a);
    int equal = (a == b) + (b == c);
    if (equal == 0)
        assert(a != c);
    return 0;
}
