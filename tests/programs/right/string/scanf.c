// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int i, n = -1;
    unsigned char tiny;
    long l;
    double d;
    float f;
    char word[16], set[16], three[4] = "...", *allocated;
    assert(sscanf("12 -34 2.5 1e3", "%d %ld %lf %f", &i, &l, &d, &f) == 4);
    assert(i == 12 && l == -34 && d == 2.5 && f == 1000.0f);
    assert(sscanf("word [abc] xyz!", "%15s [%[a-c]] %3c%n", word, set, three, &n) == 3);
    assert(strcmp(word, "word") == 0 && strcmp(set, "abc") == 0 && strcmp(three, "xyz") == 0 && n == 14);
    assert(sscanf("300 skip 7", "%hhu %*s %d", &tiny, &i) == 2 && tiny == 300 % 256 && i == 7);
    assert(sscanf("abc", "%d", &i) == 0 && i == 7);
    assert(sscanf("", "%d", &i) == EOF);
    assert(sscanf("long enough", "%ms", &allocated) == 1 && strcmp(allocated, "long") == 0);
    free(allocated);
    assert(sscanf("50%", "%d%%", &i) == 1 && i == 50);
    assert(sscanf("abcdef", "%3s", word) == 1 && strcmp(word, "abc") == 0);
    assert(scanf("%d", &i) == EOF);
}
