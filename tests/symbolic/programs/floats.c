/* followed: some; branches: 50
 * Floating point, wide integers, vectors, assembly: concretely. */
#include "observe.h"

#include <math.h>

typedef int four __attribute__((vector_size(16)));

int main(void)
{
    int x = heddle_int("x");
    double d = x;
    observe((uint64_t)(d * 0.5 > 10));
    unsigned __int128 wide = (unsigned __int128)(unsigned)x << 40;
    observe((uint64_t)(wide >> 30));
    four v = { x, 1, 2, 3 };
    v += v;
    observe((uint32_t)v[0]);
    float f;
    heddle_bytes(&f, sizeof f, "f");
    observe((uint64_t)(f < 3));
    int copy = x;
    __asm__("addl $1, %0" : "+r"(copy));
    observe((uint32_t)copy);
    observe((uint64_t)(uint32_t)(int)fabs((double)x));
    return 0;
}
