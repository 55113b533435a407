// getline allocates for what it reads.
// EXPECT: complete
// TESTS: 2
// STDIN: hello\nworld\n
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    assert(getline(&line, &room, stdin) == 6 && !strcmp(line, "hello\n"));
    several();
    free(line);
}
