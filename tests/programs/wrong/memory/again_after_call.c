// The same bytes are read before and behind a call that frees them.
// EXPECT: finding use-after-free
// TESTS: 1
#include <stdlib.h>

typedef struct box {
    int value, other;
} box;

static __attribute__((noinline)) void put_away(box *b)
{
    free(b);
}

int main(void)
{
    box *b = calloc(1, sizeof *b);
    int before = b->value;
    put_away(b);
    return before + b->value;
}
