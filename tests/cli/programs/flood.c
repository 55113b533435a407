/* Does WHAT without end. */
#include <stdio.h>

static char block[4096] = { 0, 'a', 'b', 'c' };

int main(void)
{
    FILE *file = fopen("flood.out", "w");
    for (;;)
        WHAT;
    return file && block[0];
}
