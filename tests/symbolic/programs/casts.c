/* followed: none; branches: 500
 * Changes of width and sign, pointers as numbers, freezing. */
#include "observe.h"

union both {
    uint32_t words[2];
    uint64_t whole;
    uint8_t bytes[8];
};

struct bits {
    unsigned a : 3, b : 7;
    int c : 5;
    uint64_t d : 33;
};

int main(void)
{
    uint64_t x = heddle_uint64("x");
    int y = heddle_int("y");
    observe((uint64_t)(int8_t)x);
    observe((uint64_t)(uint8_t)y);
    observe((uint64_t)(int16_t)(uint8_t)x);
    observe((uint64_t)(int64_t)y);
    observe((uint64_t)(uint32_t)y);
    observe((_Bool)x);
    observe((uint64_t)(void *)x);
    observe((uint64_t)((char *)x + y));
    observe((uint64_t)((int *)(x & ~7ull) - (int *)0));
    union both u = { .whole = x };
    observe(u.words[1]);
    observe(u.bytes[3]);
    u.bytes[2] = (uint8_t)y;
    observe(u.whole);
    u.words[0] = 7;
    observe(u.whole);
    struct bits b = { .a = (unsigned)x, .b = (unsigned)y, .c = y, .d = x };
    b.a++;
    b.c -= 3;
    observe(b.a | (uint64_t)b.b << 8);
    observe((uint64_t)(int64_t)b.c);
    observe(b.d);
    return 0;
}
