// A file format's first bytes.
// EXPECT: finding assertion
// INPUTS: bytes(head) == bytes([0x89, 0x50, 0x4e, 0x47])
// TESTS: 5
#include <assert.h>
#include <heddle.h>
#include <string.h>

int main(void)
{
    unsigned char head[4];
    heddle_bytes(head, sizeof head, "head");
    if (memcmp(head, "\x89PNG", 4) == 0)
        assert(0);
    return 0;
}
