/* followed: none; branches: 200; symbolic: arg 1 3 | arg 3 2 | env COLOUR 3
 * Arguments and environment variables of unknown text. */
#include "observe.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 4 || strlen(argv[1]) > 3 || argv[2][0])
        __builtin_trap();
    observe(strlen(argv[1]));
    if (!strcmp(argv[1], "-v"))
        observe((uint64_t)argv[3][0]);
    observe((uint32_t)atoi(argv[3]));
    const char *colour = getenv("COLOUR");
    observe(strlen(colour) + (uint64_t)colour[1]);
    return 0;
}
