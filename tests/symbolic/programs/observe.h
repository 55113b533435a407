/* A branch on every bit of a value: what it is made of is seen by the oracle. */
#include <heddle.h>
#include <stdint.h>

static volatile unsigned seen;

__attribute__((noinline)) static void observe(uint64_t value)
{
    for (int i = 0; i < 64; i++)
        if (value >> i & 1)
            seen += (unsigned)i;
}
