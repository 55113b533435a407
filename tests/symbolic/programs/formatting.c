/* followed: some; branches: 20
 * Text made of inputs is concrete, and so is what was read from such a text. */
#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int x = heddle_int("x"), back = 0;
    char text[32], bytes[4] = "";
    heddle_bytes(bytes, 3, "bytes");
    snprintf(text, sizeof text, "%d", x);
    observe(strlen(text));
    sscanf(text, "%d", &back);
    observe((uint32_t)back);
    sprintf(text, "<%s>", bytes);
    observe((uint64_t)text[1]);
    observe((uint64_t)(strtod(bytes, NULL) > 3));
    int length = printf("%d\n", x);
    observe((uint64_t)length);
    return 0;
}
