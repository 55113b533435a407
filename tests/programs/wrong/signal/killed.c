// Nobody handles SIGTERM.
// EXPECT: finding crash
// TESTS: 1
#include <signal.h>

int main(void)
{
    raise(SIGTERM);
}
