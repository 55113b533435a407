// raise runs the handler before it returns.
// EXPECT: complete
// TESTS: 1
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t count, last;

static void handler(int signal)
{
    count++;
    last = signal;
}

int main(void)
{
    struct sigaction action = { .sa_handler = handler }, old;
    sigset_t set;
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    assert(count == 1 && last == SIGUSR1);
    assert(sigaction(SIGUSR2, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    kill(getpid(), SIGUSR2);
    assert(count == 2 && last == SIGUSR2);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    assert(count == 2);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    assert(count == 3);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    assert(count == 3);
    raise(SIGCHLD);
    assert(sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL);
}
