// A signal ends the wait with EINTR. A program that takes every return for a wake-up goes on too early.
// EXPECT: finding assertion at 23
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
    struct sigaction action = { .sa_handler = on_signal };
    pthread_t t;
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, wait_once, NULL);
    pthread_kill(t, SIGUSR1);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    pthread_join(t, NULL);
}
