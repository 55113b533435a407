// strsignal and strerror answer from buffers that start empty.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static char expected[64];
    snprintf(expected, sizeof expected, "Unknown error %d", 4711);
    char *text = strerror(4711);
    assert(!strcmp(text, expected));
    *text = 'x';
    assert(!strcmp(strsignal(300), "Unknown signal 300"));
    several();
}
