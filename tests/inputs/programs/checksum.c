// A frame whose checksum must be right before its command is looked at.
// EXPECT: finding assertion
// INPUTS: (f[0] + f[1] + f[2]) % 256 == f[3] and f[0] == 0x7e and f[1] == 9
// TESTS: 4
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned char f[4];
    heddle_bytes(f, sizeof f, "f");
    if ((unsigned char)(f[0] + f[1] + f[2]) != f[3])
        return 0;
    if (f[0] != 0x7e)
        return 0;
    if (f[1] == 9)
        assert(0);
    return 0;
}
