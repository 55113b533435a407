// Signals between processes, and calls that wait for signals. Whatever the schedule is, the results are the same.
// THREADS: 32
#include "transcript.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static void wait_for(pid_t pid)
{
    int status = -1;
    pid_t got;
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    say("%d\n", got == pid);
    if (WIFEXITED(status))
        say("exited with %d\n", WEXITSTATUS(status));
    else
        say("killed by %d\n", WTERMSIG(status));
}

static volatile sig_atomic_t came;

static void on_signal(int signal)
{
    came = signal;
}

static void block(int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void unblock(int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void terminated(int signal)
{
    int p[2];
    char c;
    TRY(pipe(p));
    pid_t pid = fork();
    if (!pid) {
        read(p[0], &c, 1);
        _exit(1);
    }
    TRY(kill(pid, signal));
    wait_for(pid);
    said("kill", kill(pid, 0));
    close(p[0]);
    close(p[1]);
}

static void by_sigterm(void)
{
    terminated(SIGTERM);
}

static void by_sigkill(void)
{
    terminated(SIGKILL);
}

static void in_pause(void)
{
    pid_t pid = fork();
    if (!pid) {
        pause();
        _exit(1);
    }
    TRY(kill(pid, SIGUSR1));
    wait_for(pid);
}

static void ignored(void)
{
    int p[2];
    char c;
    TRY(pipe(p));
    signal(SIGTERM, SIG_IGN);
    pid_t pid = fork();
    if (!pid) {
        read(p[0], &c, 1);
        _exit(c);
    }
    TRY(kill(pid, SIGTERM));
    TRY(write(p[1], "\5", 1));
    wait_for(pid);
    signal(SIGTERM, SIG_DFL);
    close(p[0]);
    close(p[1]);
}

static void blocked_and_waited_for(void)
{
    block(SIGUSR1);
    pid_t pid = fork();
    if (!pid) {
        sigset_t set;
        int got = 0;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        int error = sigwait(&set, &got);
        _exit(error ? 99 : got);
    }
    TRY(kill(pid, SIGUSR1));
    wait_for(pid);
    unblock(SIGUSR1);
}

static void suspended(void)
{
    signal(SIGUSR2, on_signal);
    block(SIGUSR2);
    came = 0;
    pid_t pid = fork();
    if (!pid) {
        sigset_t none;
        sigemptyset(&none);
        int result = sigsuspend(&none), error = errno;
        _exit(result == -1 && error == EINTR && came == SIGUSR2);
    }
    TRY(kill(pid, SIGUSR2));
    wait_for(pid);
    say("%d\n", (int)came);
    unblock(SIGUSR2);
    signal(SIGUSR2, SIG_DFL);
}

static void child_tells_parent(void)
{
    sigset_t none;
    signal(SIGUSR1, on_signal);
    block(SIGUSR1);
    came = 0;
    pid_t pid = fork();
    if (!pid) {
        kill(getppid(), SIGUSR1);
        _exit(0);
    }
    sigemptyset(&none);
    TRY(sigsuspend(&none));
    say("%d\n", (int)came);
    wait_for(pid);
    unblock(SIGUSR1);
    signal(SIGUSR1, SIG_DFL);
}

static void end_of_child_is_signalled(void)
{
    sigset_t none;
    signal(SIGCHLD, on_signal);
    block(SIGCHLD);
    came = 0;
    pid_t pid = fork();
    if (!pid)
        _exit(2);
    sigemptyset(&none);
    TRY(sigsuspend(&none));
    say("%d\n", came == SIGCHLD);
    wait_for(pid);
    unblock(SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
}

static void ends_are_ignored(void)
{
    int status;
    signal(SIGCHLD, SIG_IGN);
    pid_t pid = fork();
    if (!pid)
        _exit(2);
    said("waitpid", waitpid(pid, &status, 0));
    signal(SIGCHLD, SIG_DFL);
}

static void action_is_inherited(void)
{
    signal(SIGUSR1, on_signal);
    pid_t pid = fork();
    if (!pid) {
        came = 0;
        raise(SIGUSR1);
        _exit(came == SIGUSR1);
    }
    wait_for(pid);
    signal(SIGUSR1, SIG_DFL);
}

static int ends[2];

static void *read_one(void *unused)
{
    char c;
    (void)unused;
    read(ends[0], &c, 1);
    return NULL;
}

static void cancelled_in_read(void)
{
    pthread_t t;
    void *result = NULL;
    TRY(pipe(ends));
    pthread_create(&t, NULL, read_one, NULL);
    TRY(pthread_cancel(t));
    TRY(pthread_join(t, &result));
    say("%d\n", result == PTHREAD_CANCELED);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    RUN(by_sigterm);
    RUN(by_sigkill);
    RUN(in_pause);
    RUN(ignored);
    RUN(blocked_and_waited_for);
    RUN(suspended);
    RUN(child_tells_parent);
    RUN(end_of_child_is_signalled);
    RUN(ends_are_ignored);
    RUN(action_is_inherited);
    RUN(cancelled_in_read);
    return finish();
}
