/* followed: none; branches: 50
 * What is only printed needs no branch. */
#include "observe.h"

#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int x = heddle_int("x");
    char text[4] = "";
    heddle_bytes(text, 3, "text");
    printf("%d %s %5.2f %c\n", x, text, 1.5, x);
    fprintf(stderr, "%x %*d\n", (unsigned)x, 3, x);
    puts(text);
    putchar(x & 127);
    fputs(text, stdout);
    fwrite(text, 1, 3, stdout);
    if (write(1, text, 3) < 0)
        return 1;
    observe((uint32_t)x);
    return x & 3;
}
