// What a character means in base 64.
// EXPECT: complete
// TESTS: 8
#include <assert.h>
#include <heddle.h>

static int value(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int main(void)
{
    int v = value(heddle_uchar("c"));
    assert(v >= -1 && v < 64);
    return 0;
}
