// Thirty questions that take long: whether a large prime has factors.
#include <heddle.h>

int main(void)
{
    int found = 0;
    for (int i = 0; i < 30; i++) {
        unsigned long x = (unsigned)heddle_int("x"), y = (unsigned)heddle_int("y");
        if ((x > 1) & (y > 1) & (x * y == 9223372036854775783ul))
            found++;
    }
    return found;
}
