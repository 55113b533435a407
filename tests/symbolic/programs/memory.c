/* followed: none; branches: 500
 * Values that go through memory byte by byte, unaligned, overlapping. */
#include "observe.h"

#include <stdlib.h>
#include <string.h>

static char global[64];

int main(void)
{
    uint64_t x = heddle_uint64("x");
    uint8_t small = heddle_uint8("small");
    memcpy(global + 3, &x, sizeof x);
    uint32_t part;
    memcpy(&part, global + 5, sizeof part);
    observe(part);
    memcpy(&part, global + 1, sizeof part);
    observe(part);
    memmove(global + 4, global + 3, sizeof x);
    memcpy(&x, global + 4, sizeof x);
    observe(x);
    uint64_t unaligned = *(volatile uint64_t *)(global + 2);
    observe(unaligned);
    memset(global, small, 20);
    observe(*(uint32_t *)(global + 8));
    global[9] = 'x';
    observe(*(uint32_t *)(global + 8));
    char *heap = malloc(40);
    for (int i = 0; i < 8; i++)
        heap[i] = (char)(x >> 8 * (7 - i));
    uint64_t reversed;
    memcpy(&reversed, heap, sizeof reversed);
    observe(reversed);
    heap = realloc(heap, 4000);
    memcpy(&reversed, heap, sizeof reversed);
    observe(reversed);
    char *zero = calloc(1, 40);
    observe((uint64_t)*zero);
    uint64_t *old = malloc(32);
    *old = x;
    free(old);
    free(heap);
    free(zero);
    char bytes[16];
    heddle_bytes(bytes, sizeof bytes, "bytes");
    observe(*(uint64_t *)(bytes + 4));
    uint16_t sum = 0;
    for (int i = 0; i < 16; i++)
        sum = (uint16_t)(sum * 31 + bytes[i]);
    observe(sum);
    struct {
        char c;
        uint64_t x;
    } a = { 1, x }, b = a;
    observe(b.x + (uint64_t)b.c);
    return 0;
}
