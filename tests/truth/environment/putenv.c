// putenv puts a buffer of the program into the environment.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static char text[] = "NEW_ONE=1";
    assert(!getenv("NEW_ONE"));
    assert(!putenv(text));
    text[8] = '2';
    several();
    assert(!strcmp(getenv("NEW_ONE"), "2"));
}
