// No signal is blocked when main starts.
// EXPECT: complete
// TESTS: 2
#include "../several.h"

#include <assert.h>
#include <signal.h>

int main(void)
{
    sigset_t set, old;
    sigfillset(&set);
    assert(!pthread_sigmask(SIG_SETMASK, &set, &old) && !sigismember(&old, SIGUSR1));
    several();
    assert(!pthread_sigmask(SIG_SETMASK, NULL, &old) && sigismember(&old, SIGUSR1));
}
