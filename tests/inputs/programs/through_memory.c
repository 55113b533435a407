// A value written byte by byte and read as a whole.
// EXPECT: finding assertion
// INPUTS: n == 0x01020304
// TESTS: 2
#include <assert.h>
#include <heddle.h>
#include <string.h>

int main(void)
{
    unsigned n = heddle_uint("n"), back;
    unsigned char bytes[4];
    memcpy(bytes, &n, 4);
    unsigned char first = bytes[0];
    bytes[0] = bytes[3];
    bytes[3] = first;
    memcpy(&back, bytes, 4);
    assert(back != 0x04020301);
    return 0;
}
