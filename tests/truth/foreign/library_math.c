// The C library and libm are relied on.
// EXPECT: complete
// CFLAGS: -lm
// FOREIGN:
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <wctype.h>

int main(int argc, char **argv)
{
    (void)argv;
    assert(sqrt(argc * 4.0) == 2.0 && labs(-argc) == 1 && towupper('a') == 'A');
}
