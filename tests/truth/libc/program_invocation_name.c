// program_invocation_name is as the process was started.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int main(void)
{
    assert(strstr(program_invocation_name, "program"));
    assert(!strcmp(program_invocation_short_name, "program"));
    program_invocation_name = "another";
    program_invocation_short_name = "another";
    several();
}
