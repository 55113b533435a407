// Seeking in standard input.
// EXPECT: complete
// TESTS: 2
// STDIN: abc
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char byte;
    assert(lseek(0, 0, SEEK_CUR) == 0);
    assert(lseek(0, 2, SEEK_SET) == 2 && read(0, &byte, 1) == 1 && byte == 'c');
    several();
}
