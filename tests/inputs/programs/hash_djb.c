// Four bytes with a given hash.
// EXPECT: finding assertion
// INPUTS: ((((5381 * 33 + s[0]) * 33 + s[1]) * 33 + s[2]) * 33 + s[3]) % 2**32 == 2087956275
// TESTS: 2
#include <assert.h>
#include <heddle.h>

int main(void)
{
    unsigned char s[4];
    unsigned hash = 5381;
    heddle_bytes(s, sizeof s, "s");
    for (int i = 0; i < 4; i++)
        hash = hash * 33 + s[i];
    assert(hash != 2087956275u);
    return 0;
}
