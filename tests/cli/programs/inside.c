#include <string.h>

/* The crash is inside the library, with what the program gave it. */
int main(void)
{
    const char *volatile nothing = NULL;
    return (int)strlen(nothing);
}
