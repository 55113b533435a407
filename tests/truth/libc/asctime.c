// Static answers of the time functions are fresh.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t zero = 0;
    struct tm *broken_down = gmtime(&zero);
    assert(broken_down->tm_year == 70 && broken_down->tm_wday == 4);
    char *text = asctime(broken_down);
    assert(!strncmp(text, "Thu Jan  1", 10));
    memset(broken_down, 0, sizeof *broken_down);
    several();
}
