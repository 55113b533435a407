// A handler of SIGSEGV that a fault would run is not modelled: said, not guessed.
// EXPECT: finding model-limit
// TESTS: 1
#include <signal.h>
#include <unistd.h>

static void handler(int signal)
{
    (void)signal;
    _exit(0);
}

int main(void)
{
    signal(SIGSEGV, handler);
    *(volatile int *)8 = 1;
}
