// Before tzset nothing is known of the time zone.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void)
{
    assert(timezone == 0 && daylight == 0);
    setenv("TZ", "XYZ-3ABC", 1);
    tzset();
    assert(timezone == -3 * 3600 && daylight && !strcmp(tzname[0], "XYZ"));
    several();
}
