// The program's own srand, in another file, decides by the time that it is given: a read for it may matter.
// EXPECT: bound
// EXPECT: finding assertion
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int chosen(void);

int main(void)
{
    srand((unsigned)time(NULL));
    assert(chosen() != 1);
    return 0;
}
