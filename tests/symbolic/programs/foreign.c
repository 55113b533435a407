/* followed: some; branches: 20; flags: -lm
 * Functions that heddle knows nothing of. */
#define _XOPEN_SOURCE 700
#include "observe.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

int main(void)
{
    int x = heddle_int("x");
    div_t parts = div(x, 7);
    observe((uint32_t)parts.rem);
    char text[8] = "";
    heddle_bytes(text, 4, "text");
    wchar_t wide[8];
    observe(mbstowcs(wide, text, 8));
    char changed[8];
    memcpy(changed, text, sizeof changed);
    swab(text, changed, 4);
    observe((uint64_t)changed[0]);
    return 0;
}
