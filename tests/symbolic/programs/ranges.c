/* followed: none; assumed: 50; branches: 200
 * Ranges and assumptions are marked. */
#include "observe.h"

int main(void)
{
    long small = heddle_range(3, 9, "small"), negative = heddle_range(-5, -1, "negative");
    if (small < 3 || small > 9 || negative < -5 || negative > -1)
        __builtin_trap();
    observe((uint64_t)small);
    observe((uint64_t)(small * negative));
    int x = heddle_int("x");
    heddle_assume(x > 2);
    heddle_assume((x & 1) == 0);
    observe((uint64_t)x);
    return 0;
}
