/* followed: none; findings: some; branches: 50; flags: -ftrapv
 * Division by zero, overflow where it traps, shifts. */
#include "observe.h"

int main(void)
{
    int x = heddle_int("x"), y = heddle_int("y");
    switch (heddle_int("what") & 3) {
    case 0:
        return x / y;
    case 1:
        return x % y;
    case 2:
        return x + y;
    default:
        if ((unsigned)y < 32)
            observe((uint32_t)x << y);
        return x * 2;
    }
}
