// A local variable that is not set does not hold what an earlier execution left there: small, large, behind a gap.
// EXPECT: complete
// TESTS: 2
// STAYS: yes
// RUN: -DSIZE=8 -DAT=3 -DGAP=1
// RUN: -DSIZE=4096 -DAT=2000 -DGAP=1
// RUN: -DSIZE=4096 -DAT=2000 -DGAP=20000
#include "../several.h"

#include <assert.h>

static volatile int sink;

__attribute__((noinline)) static void leave(int n)
{
    volatile int left[SIZE];
    for (int i = 0; i < SIZE; i++)
        left[i] = 7;
    sink = left[n];
}

__attribute__((noinline)) static int find(int n)
{
    volatile int found[SIZE];
    return found[n];
}

__attribute__((noinline)) static int deeper(int (*call)(int), void (*leaving)(int), int n)
{
    volatile char gap[GAP];
    gap[0] = 1;
    int result = call ? call(n) : 0;
    if (leaving)
        leaving(n);
    return result + gap[0];
}

int main(void)
{
    int found = deeper(find, 0, AT);
    several();
    deeper(0, leave, AT);
    assert(found == 1);
}
