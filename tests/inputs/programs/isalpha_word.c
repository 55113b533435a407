// Letters only, and in capitals.
// EXPECT: finding assertion
// INPUTS: all(65 <= b <= 90 for b in s)
// TESTS: 3
#include <assert.h>
#include <ctype.h>
#include <heddle.h>

int main(void)
{
    unsigned char s[2];
    heddle_bytes(s, sizeof s, "s");
    for (int i = 0; i < 2; i++)
        if (!isupper(s[i]))
            return 0;
    assert(0);
}
