// random_r, erand48 and initstate: states of the C library start alike.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned short *old = seed48((unsigned short[]) { 1, 2, 3 });
    assert(old[0] == 0 && old[1] == 0 && old[2] == 0);
    nrand48((unsigned short[]) { 4, 5, 6 });
    lcong48((unsigned short[7]) { 1, 2, 3, 4, 5, 6, 7 });
    several();
}
