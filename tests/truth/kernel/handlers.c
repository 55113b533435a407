// Handlers of signals are those that the process started with.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <signal.h>

int main(void)
{
    struct sigaction old;
    assert(!sigaction(SIGUSR1, NULL, &old) && old.sa_handler == SIG_DFL);
    signal(SIGUSR1, SIG_IGN);
    several();
    assert(!sigaction(SIGUSR1, NULL, &old) && old.sa_handler == SIG_IGN);
}
