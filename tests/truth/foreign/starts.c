// A library starts a thread that heddle does not schedule, and heddle says so.
// EXPECT: finding model-limit
// LIBRARY: waits
// ISOLATE: reset
#include "../several.h"

#include <assert.h>

int waits_start(void);

int main(void)
{
    several();
    waits_start();
}
