// EXPECT: finding assertion
// TESTS: 300
#include <assert.h>
#include <heddle.h>

int main(void)
{
    assert(heddle_choose(300) != 299);
}
