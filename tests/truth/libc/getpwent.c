// getpwent begins with the first user.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <pwd.h>
#include <string.h>

int main(void)
{
    struct passwd *first = getpwent();
    assert(first && !strcmp(first->pw_name, "root"));
    assert(getpwent());
    several();
}
