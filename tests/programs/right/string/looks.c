// Every function on blocks and strings that only looks.
// EXPECT: complete
// TESTS: 1
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    char *s = strdup("hello, world");
    assert(strlen(s) == 12 && strnlen(s, 5) == 5 && strnlen(s, 50) == 12);
    assert(strcmp(s, "hello") > 0 && strncmp(s, "hello!", 5) == 0);
    assert(strcasecmp("ABC", "abc") == 0 && strncasecmp("ABx", "aby", 2) == 0);
    assert(strchr(s, 'o') == s + 4 && strrchr(s, 'o') == s + 8 && strchr(s, 'z') == NULL && strchr(s, 0) == s + 12);
    assert(strstr(s, "wor") == s + 7 && strstr(s, "xyz") == NULL && strstr(s, "") == s);
    assert(strspn(s, "leh") == 4 && strcspn(s, ",") == 5 && strpbrk(s, "wx") == s + 7 && strpbrk(s, "z") == NULL);
    assert(memchr(s, 'l', 12) == s + 2 && memchr(s, 'z', 12) == NULL && memrchr(s, 'l', 12) == s + 10);
    assert(memcmp(s, "hellp", 5) < 0 && memmem(s, 12, "lo", 2) == s + 3);
    free(s);
    int numbers[] = { 5, 3, 9, 1, 1, 7 }, key = 7;
    qsort(numbers, 6, sizeof *numbers, by_value);
    for (int i = 1; i < 6; i++)
        assert(numbers[i - 1] <= numbers[i]);
    assert(*(int *)bsearch(&key, numbers, 6, sizeof key, by_value) == 7);
    key = 4;
    assert(bsearch(&key, numbers, 6, sizeof key, by_value) == NULL);
}
