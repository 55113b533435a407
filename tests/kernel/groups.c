// Process groups and sessions, signals to them, waiting for them. Whatever the schedule is, the results are the same.
// THREADS: 16
#include "transcript.h"

#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

static void wait_for(pid_t pid)
{
    int status = -1;
    say("%d\n", waitpid(pid, &status, 0) == pid);
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

static void inherited(void)
{
    pid_t group = getpgrp(), session = getsid(0);
    pid_t pid = fork();
    if (!pid)
        _exit((getpgrp() == group) + 2 * (getpgid(getppid()) == group) + 4 * (getsid(0) == session) + 8 * (getpgrp() != getpid()));
    wait_for(pid);
}

static void own_group(void)
{
    pid_t pid = fork();
    if (!pid) {
        int made = setpgid(0, 0), again = setpgid(0, 0);
        _exit((made == 0) + 2 * (again == 0) + 4 * (getpgrp() == getpid()) + 8 * (getpgid(getpid()) == getpid()));
    }
    wait_for(pid);
}

static void own_session(void)
{
    pid_t pid = fork();
    if (!pid) {
        int made = setsid() == getpid(), again = setsid(), error = errno, set = setpgid(0, 0), denied = errno;
        _exit(made + 2 * (again == -1 && error == EPERM) + 4 * (getsid(0) == getpid()) + 8 * (getpgrp() == getpid())
            + 16 * (set == -1 && denied == EPERM));
    }
    wait_for(pid);
}

static void leader_makes_no_session(void)
{
    pid_t pid = fork();
    if (!pid) {
        setpgid(0, 0);
        int result = setsid();
        _exit(result == -1 && errno == EPERM);
    }
    wait_for(pid);
}

static void errors(void)
{
    TRY(setpgid(0, -1));
    TRY(setpgid(999999, 0));
    TRY(setpgid(0, 999999));
    TRY(getpgid(999999));
    TRY(getsid(999999));
    TRY(setpgid(getppid(), 0));
    TRY(kill(-999999, 0));
    TRY(kill(-999999, SIGTERM));
    TRY(kill(INT_MIN, 0));
    TRY(killpg(-1, 0));
    TRY(killpg(999999, 0));
    TRY(kill(getpid(), 65));
    TRY(kill(0, 65));
    TRY(kill(0, 0));
    said("own", kill(-getpgrp(), 0));
}

/* Both end by the signal; the caller is of another group. */
static void group_is_killed(void)
{
    int p[2], status;
    char c;
    TRY(pipe(p));
    pid_t first = fork();
    if (!first) {
        read(p[0], &c, 1);
        _exit(1);
    }
    said("setpgid", setpgid(first, first));
    pid_t second = fork();
    if (!second) {
        read(p[0], &c, 1);
        _exit(2);
    }
    said("setpgid", setpgid(second, first));
    say("%d\n", getpgid(second) == first);
    said("kill", kill(-first, SIGTERM));
    for (int i = 0; i < 2; i++) {
        say("%d\n", waitpid(-first, &status, 0) > 0);
        say("%d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    said("waitpid", waitpid(-first, &status, 0));
    said("kill", kill(-first, 0));
    close(p[0]);
    close(p[1]);
}

static void whole_group_of_caller(void)
{
    pid_t pid = fork();
    if (!pid) {
        setpgid(0, 0);
        signal(SIGUSR1, on_signal);
        kill(0, SIGUSR1);
        _exit(came == SIGUSR1);
    }
    wait_for(pid);
}

static void killed_with_its_group(void)
{
    pid_t pid = fork();
    if (!pid) {
        setpgid(0, 0);
        kill(0, SIGKILL);
        _exit(1);
    }
    wait_for(pid);
}

static void waiting_by_group(void)
{
    int status;
    siginfo_t info;
    pid_t pid = fork();
    if (!pid)
        _exit(3);
    said("setpgid", setpgid(pid, pid) ? errno == EACCES ? -2 : -1 : 0);
    said("own", waitpid(0, &status, 0));
    said("other", waitpid(-999999, &status, 0));
    TRY(waitid(P_PGID, 999999, &info, WEXITED));
    said("waitid", waitid(P_PGID, (id_t)pid, &info, WEXITED));
    say("%d %d\n", info.si_pid == pid, info.si_status);
    TRY(waitpid(INT_MIN, &status, 0));
}

int main(void)
{
    RUN(inherited);
    RUN(own_group);
    RUN(own_session);
    RUN(leader_makes_no_session);
    RUN(errors);
    RUN(group_is_killed);
    RUN(whole_group_of_caller);
    RUN(killed_with_its_group);
    RUN(waiting_by_group);
    return finish();
}
