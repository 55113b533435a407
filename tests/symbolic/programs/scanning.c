/* followed: some; branches: 20; symbolic: stdin 4
 * What scanf makes of unknown bytes is concrete. */
#include "observe.h"

#include <stdio.h>

int main(void)
{
    int number = 0;
    int got = scanf("%d", &number);
    observe((uint64_t)got);
    observe((uint32_t)number);
    int c = heddle_char("c");
    observe((uint8_t)c);
    return 0;
}
