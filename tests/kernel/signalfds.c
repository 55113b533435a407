// signalfd: signals that are read. Whatever the schedule is, the results are the same.
// THREADS: 4
#include "transcript.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

static struct signalfd_siginfo got[4];

static sigset_t set_of(int first, int second)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, first);
    sigaddset(&set, second);
    return set;
}

static int make(int flags)
{
    sigset_t set = set_of(SIGUSR1, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, flags);
}

static void end(int fd)
{
    sigset_t set = set_of(SIGUSR1, SIGUSR2);
    TRY(close(fd));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void say_signals(long bytes)
{
    for (long i = 0; i < bytes / (long)sizeof *got; i++)
        say("signal %u\n", got[i].ssi_signo);
}

static void nothing_is_pending(void)
{
    int fd = make(SFD_NONBLOCK);
    TRY(read(fd, got, sizeof got));
    TRY(read(fd, got, sizeof *got - 1));
    TRY(write(fd, got, sizeof got));
    end(fd);
}

static void own_signals(void)
{
    int fd = make(SFD_NONBLOCK);
    raise(SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR2);
    say_signals(TRY(read(fd, got, sizeof got)));
    TRY(read(fd, got, sizeof got));
    end(fd);
}

static void one_at_a_time(void)
{
    int fd = make(0);
    raise(SIGUSR1);
    raise(SIGUSR2);
    say_signals(TRY(read(fd, got, sizeof *got)));
    say_signals(TRY(read(fd, got, sizeof *got)));
    end(fd);
}

static void pending_before(void)
{
    sigset_t set = set_of(SIGUSR1, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    int fd = make(SFD_NONBLOCK);
    say_signals(TRY(read(fd, got, sizeof got)));
    end(fd);
}

static void mask_is_changed(void)
{
    int fd = make(SFD_NONBLOCK);
    sigset_t one = set_of(SIGUSR1, SIGUSR1);
    say("%d\n", signalfd(fd, &one, 0) == fd);
    raise(SIGUSR2);
    TRY(read(fd, got, sizeof got));
    one = set_of(SIGUSR2, SIGUSR2);
    say("%d\n", signalfd(fd, &one, 0) == fd);
    say_signals(TRY(read(fd, got, sizeof got)));
    end(fd);
}

static void taken_by_sigwait(void)
{
    sigset_t set = set_of(SIGUSR1, SIGUSR2);
    int fd = make(SFD_NONBLOCK), signal = 0;
    struct pollfd p = { .fd = fd, .events = POLLIN };
    raise(SIGUSR1);
    TRY(poll(&p, 1, 0));
    TRY(sigwait(&set, &signal));
    say("%d\n", signal);
    TRY(poll(&p, 1, 0));
    TRY(read(fd, got, sizeof got));
    end(fd);
}

static void polled(void)
{
    int fd = make(0), e = epoll_create1(0);
    struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };
    struct epoll_event event = { .events = EPOLLIN };
    TRY(epoll_ctl(e, EPOLL_CTL_ADD, fd, &event));
    TRY(poll(&p, 1, 0));
    TRY(epoll_wait(e, &event, 1, 0));
    raise(SIGUSR1);
    TRY(poll(&p, 1, 0));
    say("%d\n", p.revents);
    TRY(epoll_wait(e, &event, 1, 0));
    say_signals(TRY(read(fd, got, sizeof got)));
    TRY(poll(&p, 1, 0));
    TRY(epoll_wait(e, &event, 1, 0));
    close(e);
    end(fd);
}

static void from_child(void)
{
    int fd = make(0);
    pid_t parent = getpid(), pid = fork();
    if (!pid) {
        kill(parent, SIGUSR2);
        _exit(0);
    }
    say_signals(TRY(read(fd, got, sizeof got)));
    say("%d\n", waitpid(pid, NULL, 0) == pid);
    end(fd);
}

static void end_of_child(void)
{
    sigset_t set = set_of(SIGCHLD, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_CLOEXEC);
    pid_t pid = fork();
    if (!pid)
        _exit(0);
    say_signals(TRY(read(fd, got, sizeof got)));
    say("%d\n", waitpid(pid, NULL, WNOHANG) == pid);
    TRY(fcntl(fd, F_GETFD));
    TRY(close(fd));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void errors(void)
{
    sigset_t set = set_of(SIGUSR1, SIGKILL);
    int p[2];
    TRY(pipe(p));
    TRY(signalfd(-1, &set, 1));
    TRY(signalfd(99, &set, 0));
    TRY(signalfd(p[0], &set, 0));
    TRY(signalfd(-2, &set, 0));
    close(p[0]), close(p[1]);
}

int main(void)
{
    RUN(nothing_is_pending);
    RUN(own_signals);
    RUN(one_at_a_time);
    RUN(pending_before);
    RUN(mask_is_changed);
    RUN(taken_by_sigwait);
    RUN(polled);
    RUN(from_child);
    RUN(end_of_child);
    RUN(errors);
    return finish();
}
