/* wild ADDRESS: writes there; wild ADDRESS read: reads there. */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int *wild = (int *)(uintptr_t)strtoull(argv[1], NULL, 0);
    if (argc > 2)
        return *wild;
    *wild = 1;
    return 0;
}
