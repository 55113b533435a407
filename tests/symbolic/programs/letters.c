/* followed: none; branches: 300
 * <ctype.h>: as expressions, without branches of their own. */
#include "observe.h"

#include <ctype.h>

int main(void)
{
    int c = heddle_uchar("c");
    if (c > 127)
        return 0;
    observe((uint64_t)(!!isalpha(c) | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isspace(c) << 3 | !!isupper(c) << 4
        | !!islower(c) << 5 | !!ispunct(c) << 6 | !!isprint(c) << 7 | !!isgraph(c) << 8 | !!iscntrl(c) << 9
        | !!isxdigit(c) << 10 | !!isblank(c) << 11));
    observe((uint64_t)toupper(c));
    observe((uint64_t)tolower(c));
    for (int k = 0; k < 128; k++)
        if (toupper(k) != (k >= 'a' && k <= 'z' ? k - 32 : k) || !isdigit(k) != !(k >= '0' && k <= '9'))
            __builtin_trap();
    return 0;
}
