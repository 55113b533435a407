// ecvt, fcvt and their static buffers.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int point, sign;
    assert(!strcmp(ecvt(12.5, 3, &point, &sign), "125") && point == 2);
    strcpy(fcvt(1.5, 1, &point, &sign), "xx");
    several();
}
