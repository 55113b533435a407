#include <stdlib.h>

int main(void)
{
    void *volatile p = malloc(10);
    p = NULL;
    return p != NULL;
}
