#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
#if defined TWICE
    free(p);
#elif defined MIDDLE
    p++;
#else
    p[8] = 1;
#endif
    free(p);
    return 0;
}
