// Every function that allocates, and its corner cases.
// EXPECT: complete
// TESTS: 1
// OPTIONS: --leaks
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int all_zero(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return 0;
    return 1;
}

int main(void)
{
    char *p = malloc(0), *q = malloc(0);
    assert(p && q && p != q);
    free(p);
    free(q);
    free(NULL);
    p = malloc(10);
    assert(((uintptr_t)p & 15) == 0 && malloc_usable_size(p) >= 10);
    memcpy(p, "012345678", 10);
    p = realloc(p, 100000);
    assert(strcmp(p, "012345678") == 0);
    p = realloc(p, 5);
    assert(memcmp(p, "01234", 5) == 0);
    assert(realloc(p, 0) == NULL);
    p = realloc(NULL, 3);
    free(p);
    p = calloc(100, 7);
    assert(all_zero(p, 700));
    free(p);
    size_t huge = (size_t)-1;
    errno = 0;
    assert(calloc(huge, 2) == NULL && errno == ENOMEM);
    errno = 0;
    assert(malloc(huge - 100) == NULL && errno == ENOMEM);
    assert(reallocarray(NULL, huge, 2) == NULL);
    p = reallocarray(NULL, 3, 4);
    free(p);
    for (size_t a = 16; a <= 4096; a *= 2) {
        p = aligned_alloc(a, a);
        assert(((uintptr_t)p & (a - 1)) == 0);
        p[a - 1] = 1;
        free(p);
    }
    void *m;
    assert(posix_memalign(&m, 3, 8) == EINVAL);
    assert(posix_memalign(&m, 64, 8) == 0 && ((uintptr_t)m & 63) == 0);
    free(m);
    p = valloc(1);
    assert(((uintptr_t)p & 4095) == 0);
    free(p);
    p = strdup("text");
    q = strndup("longer", 4);
    assert(strcmp(p, "text") == 0 && strcmp(q, "long") == 0);
    free(p);
    free(q);
    assert(asprintf(&p, "%s-%d", "x", 42) == 4 && strcmp(p, "x-42") == 0);
    free(p);
}
