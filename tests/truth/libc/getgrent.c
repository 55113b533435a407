// getgrent begins with the first group.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <grp.h>
#include <string.h>

int main(void)
{
    struct group *first = getgrent();
    assert(first && !strcmp(first->gr_name, "root"));
    assert(getgrent());
    several();
}
