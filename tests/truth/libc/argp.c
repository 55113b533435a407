// argp_program_version and its kin are not set.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <argp.h>
#include <assert.h>
#include <error.h>

int main(void)
{
    assert(!argp_program_version && error_message_count == 0 && !error_print_progname);
    argp_program_version = "1";
    error_message_count = 3;
    error_print_progname = several;
    several();
}
