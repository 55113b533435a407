// Are brackets closed? The depth is never looked at for going below zero.
// EXPECT: finding assertion
// INPUTS: s.count(41) > 0
// TESTS: 17
#include <assert.h>
#include <heddle.h>

int main(void)
{
    char s[3];
    int depth = 0;
    heddle_bytes(s, sizeof s, "s");
    for (int i = 0; i < 3; i++) {
        if (s[i] == '(')
            depth++;
        else if (s[i] == ')')
            depth--;
        assert(depth >= 0);
    }
    return 0;
}
