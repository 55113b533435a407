// How long a UTF-8 sequence is, from its first byte.
// EXPECT: complete
// TESTS: 5
#include <assert.h>
#include <heddle.h>

int length;

int main(void)
{
    unsigned char c = heddle_uchar("c");
    if (c < 0x80)
        length = 1;
    else if ((c & 0xe0) == 0xc0)
        length = 2;
    else if ((c & 0xf0) == 0xe0)
        length = 3;
    else if ((c & 0xf8) == 0xf0)
        length = 4;
    return 0;
}
