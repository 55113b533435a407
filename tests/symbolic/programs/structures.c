/* followed: none; branches: 500
 * Structures in registers, by value on the stack, as results, copied. */
#include "observe.h"

#include <string.h>

struct pair {
    int a, b;
};
struct wide {
    long a, b;
};
struct mixed {
    char c;
    short s;
    int i;
    long l;
};
struct large {
    int of[12];
};

#define APART __attribute__((noinline))

APART static struct pair swap(struct pair p)
{
    return (struct pair) { p.b, p.a };
}

APART static struct wide add(struct wide x, long by)
{
    x.a += by;
    x.b -= by;
    return x;
}

APART static struct mixed change(struct mixed m, char c)
{
    m.c ^= c;
    m.s = (short)(m.s + m.i);
    return m;
}

APART static struct large turn(struct large x, int by)
{
    struct large r;
    for (int i = 0; i < 12; i++)
        r.of[i] = x.of[(i + 5) % 12] + by;
    return r;
}

APART static int last(int a, int b, int c, int d, int e, int f, int g, struct large l, int h)
{
    return a + b + c + d + e + f + 2 * g + 3 * h + l.of[11];
}

int main(void)
{
    int x = heddle_int("x"), y = heddle_int("y");
    struct pair p = swap((struct pair) { x, y });
    observe((uint32_t)p.a);
    observe((uint32_t)p.b);
    struct wide w = add((struct wide) { x, 5 }, y);
    observe((uint64_t)w.a);
    observe((uint64_t)w.b);
    struct mixed m = change((struct mixed) { (char)x, (short)y, x, y }, 'c');
    observe((uint8_t)m.c | (uint64_t)(uint16_t)m.s << 16 | (uint64_t)(uint32_t)m.i << 32);
    observe((uint64_t)m.l);
    struct large l;
    memset(&l, 0, sizeof l);
    l.of[3] = x;
    l.of[11] = y;
    struct large t = turn(l, 1), copy = t;
    for (int i = 0; i < 12; i++)
        observe((uint32_t)copy.of[i]);
    observe((uint32_t)last(1, x, 3, y, 5, x, y, t, x));
    return 0;
}
