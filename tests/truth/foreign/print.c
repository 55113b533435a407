// What a library prints is dropped.
// EXPECT: complete
// TESTS: 2
// LIBRARY: settings
#include "../several.h"

#include <assert.h>

void settings_print(void);

int main(void)
{
    settings_print();
    several();
    settings_print();
}
