// What was read before a loop is read in it, and freed in its second round.
// EXPECT: finding use-after-free
// TESTS: 1
#include <stdlib.h>

int main(void)
{
    int *values = calloc(4, sizeof *values);
    int sum = *values;
    for (int i = 0; i < 4; i++) {
        sum += *values;
        if (i == 1)
            free(values);
    }
    return sum;
}
