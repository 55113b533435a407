// No domain is set but "messages".
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <libintl.h>
#include <string.h>

int main(void)
{
    assert(!strcmp(textdomain(NULL), "messages"));
    assert(!strcmp(textdomain("mine"), "mine"));
    assert(bindtextdomain("mine", "/nowhere"));
    several();
}
