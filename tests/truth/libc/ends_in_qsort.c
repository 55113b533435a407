// An execution that ends inside a callback of the C library.
// EXPECT: complete
// TESTS: 2
#define _GNU_SOURCE
#include "../several.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int *lfind_by_hand(void)
{
    static int numbers[] = { 8, 7, 6, 5, 4, 3, 2, 1 };
    return numbers;
}

static int leave(const void *a, const void *b, void *unused)
{
    (void)a;
    (void)b;
    (void)unused;
    exit(0);
}

int main(void)
{
    static char line[16];
    several();
    FILE *f = fopen("/etc/passwd", "r");
    assert(f && fgets(line, 5, f));
    int *numbers = lfind_by_hand();
    qsort_r(numbers, 8, sizeof *numbers, leave, NULL);
    return 1;
}
