// An input that can be zero divides.
// EXPECT: finding crash
// INPUTS: n == 0
// TESTS: 2
#include <assert.h>
#include <heddle.h>

int result;

int main(void)
{
    int n = heddle_int("n");
    result = 100 / (n + 0);
    return 0;
}
