// A comparison that stops at the first difference.
// EXPECT: finding assertion
// INPUTS: bytes(key) == b"open"
// TESTS: 5
#include <assert.h>
#include <heddle.h>

int main(void)
{
    char key[4];
    heddle_bytes(key, sizeof key, "key");
    for (int i = 0; i < 4; i++)
        if (key[i] != "open"[i])
            return 0;
    assert(0);
}
