// Nodes that tsearch allocates are gone.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <search.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

int main(void)
{
    static void *root;
    assert(!root);
    assert(tsearch("a", &root, compare) && tsearch("b", &root, compare));
    several();
}
