// A number of up to three digits from standard input; one of them is special.
// EXPECT: finding assertion
// INPUTS: bytes(stdin)[:3] == b"731"
// OPTIONS: --sym-stdin=4
// TESTS: 8
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c, value = 0, count = 0;
    while (count < 3 && (c = getchar()) >= '0' && c <= '9') {
        value = value * 10 + (c - '0');
        count++;
    }
    if (count == 3)
        assert(value != 731);
    return 0;
}
