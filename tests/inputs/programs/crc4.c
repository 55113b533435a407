// A checksum of four bits, bit by bit.
// EXPECT: finding assertion
// INPUTS: 0 <= data[0] <= 255
// TESTS: 256
#include <assert.h>
#include <heddle.h>

static unsigned crc(unsigned char byte)
{
    unsigned rest = byte;
    for (int i = 0; i < 8; i++)
        rest = rest & 0x80 ? (rest << 1 ^ 0x30) & 0xff : rest << 1 & 0xff;
    return rest >> 4;
}

int main(void)
{
    unsigned char data[1];
    heddle_bytes(data, 1, "data");
    assert(crc(data[0]) != 9);
    return 0;
}
