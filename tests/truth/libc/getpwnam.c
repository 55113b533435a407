// The static answer of getpwnam is not there before the call.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <pwd.h>
#include <string.h>

int main(void)
{
    struct passwd *user = getpwnam("root");
    assert(user && user->pw_uid == 0 && strcmp(user->pw_name, "somebody") != 0);
    strcpy(user->pw_name, "none");
    several();
}
