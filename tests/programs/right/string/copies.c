// Every function on blocks and strings that writes.
// EXPECT: complete
// TESTS: 1
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char a[64], b[64], *end, *rest;
    memset(a, 'x', sizeof a);
    assert(memcpy(b, a, 64) == b && memcmp(a, b, 64) == 0);
    assert(strcpy(a, "hello") == a && strcmp(a, "hello") == 0);
    assert(stpcpy(a, "hey") == a + 3);
    assert(strcat(a, " you") == a && strcmp(a, "hey you") == 0);
    assert(strncat(a, "!?#", 2) == a && strcmp(a, "hey you!?") == 0);
    memset(b, 'y', sizeof b);
    assert(strncpy(b, "ab", 5) == b && memcmp(b, "ab\0\0\0y", 6) == 0);
    assert(strncpy(b, "abcdef", 3) == b && memcmp(b, "abc\0\0y", 6) == 0);
    assert(stpncpy(b, "zz", 4) == b + 2 && b[3] == 0);
    memmove(a + 1, a, 5);
    assert(memcmp(a, "hhey y", 6) == 0);
    assert(mempcpy(b, "12", 3) == b + 3);
    assert(memccpy(b, "abc.def", '.', 8) == b + 4 && b[4] != 'd');
    bzero(b, 4);
    assert(b[0] == 0 && b[3] == 0);
    char line[] = ",one,,two";
    assert(strcmp(strtok(line, ","), "one") == 0 && strcmp(strtok(NULL, ","), "two") == 0);
    assert(strtok(NULL, ",") == NULL);
    char more[] = "a b";
    assert(strcmp(strtok_r(more, " ", &rest), "a") == 0 && strcmp(strtok_r(NULL, " ", &rest), "b") == 0);
    char fields[] = "x::y", *f = fields;
    assert(strcmp(strsep(&f, ":"), "x") == 0 && strcmp(strsep(&f, ":"), "") == 0 && strcmp(strsep(&f, ":"), "y") == 0);
    assert(strsep(&f, ":") == NULL);
    assert(strtol("42abc", &end, 10) == 42 && *end == 'a');
    assert(strtoul("0x1f", &end, 0) == 31 && *end == 0 && atoi("-7") == -7);
    assert(strtod("2.5e1!", &end) == 25.0 && *end == '!' && atof("0.5") == 0.5);
    assert(snprintf(a, 4, "%s%d", "abc", 123) == 6 && strcmp(a, "abc") == 0);
    assert(snprintf(NULL, 0, "%5d|%-3s|%.2f|%c|%%|%lx", 42, "q", 1.5, 'z', 255L) == 21);
    assert(sprintf(a, "%*d %.*s", 4, 7, 2, "xyz") == 7 && strcmp(a, "   7 xy") == 0);
    int count;
    assert(sprintf(a, "abc%nd", &count) == 4 && count == 3);
}
