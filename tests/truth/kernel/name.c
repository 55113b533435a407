// prctl names the thread.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <string.h>
#include <sys/prctl.h>

int main(void)
{
    char name[16];
    assert(!prctl(PR_GET_NAME, name) && strcmp(name, "renamed") != 0);
    assert(!prctl(PR_SET_NAME, "renamed"));
    several();
}
