/* followed: none; branches: 2000
 * What clang makes intrinsics of. */
#include "observe.h"

#include <stdlib.h>

#define OVERFLOWS(type, x, y) \
    do { \
        type a = (type)(x), b = (type)(y), r; \
        observe(__builtin_add_overflow(a, b, &r)); \
        observe((uint64_t)r); \
        observe(__builtin_sub_overflow(a, b, &r)); \
        observe((uint64_t)r); \
        observe(__builtin_mul_overflow(a, b, &r)); \
        observe((uint64_t)r); \
        observe((uint64_t)__builtin_elementwise_min(a, b)); \
        observe((uint64_t)__builtin_elementwise_max(a, b)); \
        observe((uint64_t)__builtin_elementwise_add_sat(a, b)); \
        observe((uint64_t)__builtin_elementwise_sub_sat(a, b)); \
    } while (0)

int main(void)
{
    uint64_t x = heddle_uint64("x"), y = heddle_uint64("y");
    OVERFLOWS(int8_t, x, y);
    OVERFLOWS(uint8_t, x, y);
    OVERFLOWS(int16_t, x, y);
    OVERFLOWS(uint16_t, x, y);
    OVERFLOWS(int32_t, x, y);
    OVERFLOWS(uint32_t, x, y);
    OVERFLOWS(int64_t, x, y);
    OVERFLOWS(uint64_t, x, y);
    observe((uint64_t)__builtin_elementwise_abs((int32_t)x));
    observe((uint64_t)__builtin_elementwise_abs((int64_t)x));
    if ((int)y != (int)0x80000000)
        observe((uint64_t)abs((int)y));
    if ((long)y != (long)(1ull << 63))
        observe((uint64_t)labs((long)y));
    observe((uint64_t)__builtin_popcount((unsigned)x));
    observe((uint64_t)__builtin_popcountll(x));
    observe((uint64_t)__builtin_parity((unsigned)y));
    if ((unsigned)x) {
        observe((uint64_t)__builtin_clz((unsigned)x));
        observe((uint64_t)__builtin_ctz((unsigned)x));
    }
    if (x) {
        observe((uint64_t)__builtin_clzll(x));
        observe((uint64_t)__builtin_ctzll(x));
    }
    observe((uint64_t)__builtin_ffs((int)y));
    observe(__builtin_bswap16((uint16_t)x));
    observe(__builtin_bswap32((uint32_t)x));
    observe(__builtin_bswap64(x));
    observe(__builtin_bitreverse8((uint8_t)y));
    observe(__builtin_bitreverse32((uint32_t)y));
    observe(__builtin_bitreverse64(y));
    observe(__builtin_rotateleft8((uint8_t)x, (uint8_t)y));
    observe(__builtin_rotateright16((uint16_t)x, (uint16_t)y));
    observe(__builtin_rotateleft32((uint32_t)x, (uint32_t)y));
    observe(__builtin_rotateleft32((uint32_t)x, 7));
    observe(__builtin_rotateright64(x, y));
    observe(__builtin_expect(x == y, 1));
    return 0;
}
