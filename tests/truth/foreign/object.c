// The same as an object in the program.
// EXPECT: complete
// TESTS: 2
// OBJECT: keeps
#include "../several.h"

#include <assert.h>

int keeps_calls(void);
int keeps_ready(void);
int keeps_calls_here(void);
int keeps_large(void);
int keeps_list(void);

int main(void)
{
    assert(keeps_calls() == 0 && keeps_ready() == 8 && keeps_calls_here() == 0);
    several();
    assert(keeps_large() == 0 && keeps_list() == 2);
}
