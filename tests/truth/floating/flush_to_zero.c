// Flushing small numbers to zero, as a compiler option may set.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <immintrin.h>

int main(void)
{
    assert(!(_mm_getcsr() & 0x8040));
    _mm_setcsr(_mm_getcsr() | 0x8040);
    several();
}
