// Every byte is a digit or not: two to the fourth.
// EXPECT: complete
// TESTS: 81
#include <assert.h>
#include <heddle.h>

int digits;

int main(void)
{
    unsigned char text[4];
    heddle_bytes(text, sizeof text, "text");
    for (unsigned i = 0; i < sizeof text; i++)
        if (text[i] >= '0' && text[i] <= '9')
            digits++;
    assert(digits <= 4);
    return 0;
}
