// A handler that was set with SA_RESTART does not end the wait.
// EXPECT: complete
// TESTS: 4
// DFS: yes
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void on_signal(int signal)
{
    (void)signal;
}

static void *wait_once(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
    assert(word == 1);
    return unused;
}

int main(void)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    pthread_t t;
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, wait_once, NULL);
    pthread_kill(t, SIGUSR1);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    pthread_join(t, NULL);
}
