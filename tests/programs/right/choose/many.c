// More than an operation can offer: two operations, each outcome once.
// EXPECT: complete
// TESTS: 1000
#include <assert.h>
#include <heddle.h>

int main(void)
{
    assert(heddle_choose(1000) < 1000);
}
