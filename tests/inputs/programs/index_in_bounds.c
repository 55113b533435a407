// A table is read at an index: every entry is a way of its own.
// EXPECT: finding assertion
// INPUTS: i == 5
// TESTS: 9
#include <assert.h>
#include <heddle.h>

static const int table[8] = { 3, 1, 4, 1, 5, 92, 6, 5 };

int main(void)
{
    unsigned i = heddle_uint("i");
    if (i < 8)
        assert(table[i] != 92);
    return 0;
}
