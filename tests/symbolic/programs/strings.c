/* followed: none; branches: 500
 * Every function on strings that follows its data. */
#define _GNU_SOURCE
#include "observe.h"

#include <stdlib.h>
#include <string.h>

enum { N = 5 };
static char text[N + 1], other[4], space[40];

static int sign(int x)
{
    return x < 0 ? 1 : x > 0 ? 2 : 0;
}

static void look(void)
{
    char c = heddle_char("c");
    observe(strlen(text) << 8 | strnlen(text, 3));
    observe((uint64_t)(sign(strcmp(text, "ab")) | sign(strcmp("xyz", text)) << 2 | sign(strncmp(text, "abc", 2)) << 4
        | sign(strcasecmp(text, "aB")) << 6 | sign(strncasecmp(text, "zZ9", 3)) << 8 | sign(strcoll(text, other)) << 10));
    char *found = strchr(text, c);
    observe(found ? (uint64_t)(found - text) + 1 : 0);
    found = strrchr(text, 'b');
    observe(found ? (uint64_t)(found - text) + 1 : 0);
    observe((uint64_t)(strchrnul(text, 'x') - text));
    found = strstr(text, "bc");
    observe(found ? (uint64_t)(found - text) + 1 : 0);
    found = strcasestr(text, "Y");
    observe(found ? (uint64_t)(found - text) + 1 : 0);
    observe(strspn(text, "abc") | strcspn(text, "xy") << 8);
    found = strpbrk(text, "yz");
    observe(found ? (uint64_t)(found - text) + 1 : 0);
}

static void change(void)
{
    strcpy(space, text);
    observe(*(uint64_t *)space);
    observe((uint64_t)(stpcpy(space + 8, other) - space));
    strncpy(space, text, 3);
    observe(*(uint64_t *)space);
    stpncpy(space + 4, other, 6);
    observe(*(uint64_t *)(space + 4));
    strcpy(space, other);
    strcat(space, text);
    strncat(space, "more", 2);
    observe(*(uint64_t *)space);
    char *copy = strdup(text), *part = strndup(text, 2);
    observe((uint64_t)copy[0] << 8 | (uint8_t)part[0]);
    free(copy);
    free(part);
    memcpy(space, text, sizeof text);
    char *rest, *token = strtok_r(space, " -", &rest);
    observe(token ? (uint64_t)(token - space) + 1 : 0);
    token = strtok_r(NULL, " -", &rest);
    observe(token ? (uint64_t)(token - space) + 1 : 0);
    memcpy(space, text, sizeof text);
    token = strtok(space, "a");
    observe(token ? (uint64_t)(token - space) + 1 : 0);
    memcpy(space, text, sizeof text);
    rest = space;
    token = strsep(&rest, "bx");
    observe(rest ? (uint64_t)(rest - space) : 99);
    observe(strlen(token));
}

int main(void)
{
    heddle_bytes(text, N, "text");
    heddle_bytes(other, 3, "other");
    look();
    change();
    return 0;
}
