/* followed: none; branches: 300
 * Every function on blocks of memory. */
#define _GNU_SOURCE
#include "observe.h"

#include <string.h>
#include <strings.h>

static char block[8], other[8], space[24];

static int sign(int x)
{
    return x < 0 ? 1 : x > 0 ? 2 : 0;
}

int main(void)
{
    heddle_bytes(block, sizeof block, "block");
    heddle_bytes(other, 4, "other");
    uint8_t c = heddle_uchar("c");
    size_t (*volatile hide)(const char *) = strlen;
    (void)hide;
    observe((uint64_t)(sign(memcmp(block, other, 4)) | sign(memcmp("abcd", block, 4)) << 2 | (bcmp(block, "ab", 2) != 0) << 4));
    char *found = memchr(block, c, 8);
    observe(found ? (uint64_t)(found - block) + 1 : 0);
    found = memrchr(block, 'x', 8);
    observe(found ? (uint64_t)(found - block) + 1 : 0);
    found = memmem(block, 8, other, 1);
    observe(found ? (uint64_t)(found - block) + 1 : 0);
    found = memccpy(space, block, 'y', 8);
    observe(found ? (uint64_t)(found - space) : 0);
    observe(*(uint64_t *)space);
    volatile size_t eight = 8;
    observe((uint64_t)((char *)mempcpy(space, block, eight) - space));
    memmove(space + 3, space, eight);
    observe(*(uint64_t *)(space + 3));
    memset(space, c, eight);
    observe(*(uint64_t *)space);
    bzero(space + 2, 4);
    observe(*(uint64_t *)space);
    return 0;
}
