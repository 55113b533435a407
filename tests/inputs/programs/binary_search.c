// A search in a sorted table; the key is the input.
// OPTIONS: --exit=any
// EXPECT: complete
// TESTS: 9
#include <assert.h>
#include <heddle.h>

static const int sorted[4] = { 10, 20, 30, 40 };

int main(void)
{
    int key = heddle_int("key"), low = 0, high = 4;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == key)
            return 1;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
