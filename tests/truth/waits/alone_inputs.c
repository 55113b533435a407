// Whether a loop is left depends on an input: there are values with which it is not.
// EXPECT: finding deadlock at 13
// RUN: -DRANGE TESTS=2
// RUN:
// RANDOM: 0
#include <heddle.h>
#include <pthread.h>

static volatile int enough = 1;

static void wait_for(long n)
{
    while (n > enough) { }
}

int main(void)
{
#ifdef RANGE
    wait_for(heddle_range(0, 3, "n"));
#else
    wait_for(heddle_int("n"));
#endif
    return 0;
}
