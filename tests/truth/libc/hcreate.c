// There is no hash table before hcreate makes one.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <search.h>

int main(void)
{
    assert(hcreate(16));
    assert(!hsearch((ENTRY) { .key = "key" }, FIND));
    assert(hsearch((ENTRY) { .key = "key", .data = "value" }, ENTER));
    several();
}
