#include <stdlib.h>

int main(void)
{
    for (void *volatile block;;)
        block = malloc(40);
}
