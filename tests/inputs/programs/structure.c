// Fields of a structure that is passed by value.
// EXPECT: finding assertion
// INPUTS: x + y == 10 and x - y == 4
// TESTS: 3
#include <assert.h>
#include <heddle.h>

struct point {
    int x, y;
};

static int is_special(struct point p)
{
    return p.x + p.y == 10 ? p.x - p.y == 4 : 0;
}

int main(void)
{
    struct point p = { heddle_int("x"), heddle_int("y") };
    if (is_special(p))
        assert(0);
    return 0;
}
