#include <assert.h>
#include <stdio.h>

/* Fails the first time only: a file outlives the execution that made it. */
int main(void)
{
    FILE *seen = fopen("seen", "r");
    if (!seen) {
        seen = fopen("seen", "w");
        assert(!seen);
    }
    fclose(seen);
    return 0;
}
