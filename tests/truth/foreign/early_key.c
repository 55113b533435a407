// A real key that an object made before main: its value is not that of the last execution.
// EXPECT: complete
// TESTS: 2
// OBJECT: settings_early
// STAYS: yes
#include "../several.h"

#include <assert.h>

long early_next(void);

int main(void)
{
    assert(early_next() == 0 && early_next() == 1);
    several();
}
