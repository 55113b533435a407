// rand() % 3 has 2^31 numbers and 3 results; the second number matters with one of them: 4 ways.
// EXPECT: finding assertion at 14
// TESTS: 4
// INPUTS: rand % 3 == 2 and 0 <= rand < 2**31 and mrand48 == -2**31
// OPTIONS: --toss=rand,mrand48
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    int side = rand() % 3;
    int least = mrand48() == INT_MIN;
    assert(side == 0 || side == 1 || !least);
}
