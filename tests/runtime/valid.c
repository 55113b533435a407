/* Brings the structures of the runtime into interesting states, and breaks them there (breaks.h). */
#include "breaks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void heap(void)
{
    void *live = malloc(13), *freed = malloc(40), *later = malloc(40), *aligned = aligned_alloc(256, 256);
    free(freed);
    free(later);
    assert(break_heap(live, freed, later) == 0);
    for (int i = 0; i < 3; i++)
        free(malloc(5 << 20)); /* that is more than the quarantine holds */
    assert(break_reusable(freed, later) == 0);
    free(live);
    free(aligned);
}

int main(int count, char **words)
{
    const char *part = count > 1 ? words[1] : "";
    if (!strcmp(part, "heap"))
        heap();
    else
        return 2;
    return 0;
}
