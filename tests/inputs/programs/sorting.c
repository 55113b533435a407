// Three numbers are sorted: six orders.
// EXPECT: complete
// TESTS: 6
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int v[3] = { heddle_int("a"), heddle_int("b"), heddle_int("c") };
    for (int i = 1; i < 3; i++)
        for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
            int t = v[k];
            v[k] = v[k - 1];
            v[k - 1] = t;
        }
    if (v[0] > v[1] || v[1] > v[2])
        assert(0);
    return 0;
}
