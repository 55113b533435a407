/* followed: none; branches: 300
 * Switches, loops, recursion, function pointers, computed jumps, selects. */
#include "observe.h"

static int kind(int x)
{
    switch (x) {
    case 'a' ... 'z':
        return 1;
    case 3:
    case 9:
    case 5:
        return 2;
    case -7:
        return 3;
    default:
        return 4;
    }
}

static unsigned collatz(unsigned n)
{
    unsigned steps = 0;
    while (n > 1 && steps < 20) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

__attribute__((noinline)) static uint64_t power(uint64_t base, unsigned n)
{
    return n ? base * power(base, n - 1) : 1;
}

static int twice(int x)
{
    return 2 * x;
}

static int next(int x)
{
    return x + 1;
}

static int (*const functions[])(int) = { twice, next };

static int computed(int x)
{
    static void *const labels[] = { &&zero, &&one, &&more };
    goto *labels[x == 0 ? 0 : x == 1 ? 1 : 2];
zero:
    return 10;
one:
    return 11;
more:
    return x;
}

int main(void)
{
    int x = heddle_int("x");
    unsigned char small = heddle_uchar("small");
    observe((uint64_t)kind(x));
    observe((uint64_t)kind(small));
    observe(collatz(small));
    observe(power((uint64_t)x, 5));
    observe((uint32_t)functions[x > 3](x));
    observe((uint32_t)computed(x));
    int most = x > small ? x : small;
    observe((uint32_t)most);
    const char *text = x & 1 ? "odd" : "even";
    observe((uint64_t)*text);
    long sum = 0;
    for (int i = 0; i < small % 5; i++)
        sum += x ^ i;
    observe((uint64_t)sum);
    return 0;
}
