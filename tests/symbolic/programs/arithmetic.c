/* followed: none; branches: 1000
 * Every operator on every width, signed and unsigned. */
#include "observe.h"

#define OPERATORS(type, x, y) \
    do { \
        type a = (x), b = (y); \
        observe((uint64_t)(type)(a & b)); \
        observe((uint64_t)(type)(a | b)); \
        observe((uint64_t)(type)(a ^ b)); \
        observe((uint64_t)(type)~a); \
        observe((uint64_t)(type)((uint64_t)a + (uint64_t)b)); \
        observe((uint64_t)(type)((uint64_t)a - (uint64_t)b)); \
        observe((uint64_t)(type)((uint64_t)a * (uint64_t)b)); \
        observe((uint64_t)(type)((uint64_t)a * 3)); \
        observe((uint64_t)(type)((uint64_t)a << ((unsigned)b % (8 * sizeof(type))))); \
        observe((uint64_t)(type)(a >> ((unsigned)b % (8 * sizeof(type))))); \
        observe((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5 | !a << 6); \
        observe((uint64_t)(type)(a % 7)); \
        observe((uint64_t)(type)(a / 5)); \
        if (b != 0 && b != (type)-1) { \
            observe((uint64_t)(type)(a / b)); \
            observe((uint64_t)(type)(a % b)); \
        } \
    } while (0)

int main(void)
{
    uint64_t x = heddle_uint64("x"), y = heddle_uint64("y");
    switch (heddle_choose(1)) {
    default:
        OPERATORS(int8_t, x, y);
        OPERATORS(uint8_t, x, y);
        OPERATORS(int16_t, x, y);
        OPERATORS(uint16_t, x, y);
        OPERATORS(int32_t, x, y);
        OPERATORS(uint32_t, x, y);
        OPERATORS(int64_t, x, y);
        OPERATORS(uint64_t, x, y);
    }
    return 0;
}
