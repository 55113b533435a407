// Three commands lead to the state that fails.
// EXPECT: finding assertion
// INPUTS: bytes(c) == b"adc"
// TESTS: 8
#include <assert.h>
#include <heddle.h>

int main(void)
{
    char c[3];
    int state = 0;
    heddle_bytes(c, sizeof c, "c");
    for (int i = 0; i < 3; i++) {
        if (state == 0 && c[i] == 'a')
            state = 1;
        else if (state == 1 && c[i] == 'd')
            state = 2;
        else if (state == 2 && c[i] == 'c')
            state = 3;
    }
    assert(state != 3);
    return 0;
}
