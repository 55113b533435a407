// A calculator of one digit, an operator and another digit: it divides.
// OPTIONS: --exit=any
// EXPECT: finding crash
// INPUTS: s[1] == ord("/") and s[2] == ord("0") and 48 <= s[0] <= 57
// TESTS: 10
#include <assert.h>
#include <heddle.h>

static int result;

int main(void)
{
    char s[3];
    heddle_bytes(s, sizeof s, "s");
    if (s[0] < '0' || s[0] > '9' || s[2] < '0' || s[2] > '9')
        return 1;
    int a = s[0] - '0', b = s[2] - '0';
    switch (s[1]) {
    case '+':
        result = a + b;
        break;
    case '-':
        result = a - b;
        break;
    case '*':
        result = a * b;
        break;
    case '/':
        result = a / b;
        break;
    }
    return 0;
}
