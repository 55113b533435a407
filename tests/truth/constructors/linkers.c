// Constructors run and variables are as they were in every execution, whichever linker made the program, also if it
// leaves out what nothing refers to.
// EXPECT: complete
// TESTS: 2
// RUN: -fuse-ld=bfd
// RUN: -fuse-ld=gold
// RUN: -fuse-ld=lld
// RUN: -fuse-ld=bfd -Wl,--gc-sections
// RUN: -fuse-ld=gold -Wl,--gc-sections
// RUN: -fuse-ld=lld -Wl,--gc-sections
#include "../several.h"

#include <assert.h>

static int made, kept = 3;

__attribute__((used)) static int wanted;

__attribute__((constructor)) static void make(void)
{
    made = 5;
}

int main(void)
{
    assert(made == 5 && kept == 3);
    made = kept = 7;
    several();
}
