// A switch has a way for every case and one for the rest.
// EXPECT: complete
// TESTS: 5
#include <assert.h>
#include <heddle.h>

int result;

int main(void)
{
    switch (heddle_int("n")) {
    case 1:
        result = 10;
        break;
    case 2:
        result = 20;
        break;
    case 70:
        result = 30;
        break;
    case -5:
        result = 40;
        break;
    default:
        result = 50;
    }
    assert(result >= 10);
    return 0;
}
