// The precision of the x87 unit.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <fpu_control.h>

int main(void)
{
    fpu_control_t word;
    _FPU_GETCW(word);
    assert(word == _FPU_DEFAULT);
    word = (word & ~_FPU_EXTENDED) | _FPU_SINGLE;
    _FPU_SETCW(word);
    several();
}
