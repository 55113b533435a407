// exec and posix_spawn of the program itself. Whatever the schedule is, the results are the same.
// THREADS: 4
#include "transcript.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *self;
static int global = 1;
static _Thread_local int own = 2;
static volatile sig_atomic_t came;
extern char **environ;

static void on_signal(int signal)
{
    came = signal;
}

static void forget(void)
{
    _exit(66);
}

/* What the program does if it has arguments. */
static int as_child(int argc, char **argv)
{
    sigset_t blocked;
    char c = 0;
    if (!strcmp(argv[1], "arguments"))
        return argc * 10 + (int)strlen(argv[2]) + (argv[argc] == NULL);
    if (!strcmp(argv[1], "environment"))
        return (getenv("ONE") ? atoi(getenv("ONE")) : 50) + (getenv("PATH") ? 100 : 0);
    if (!strcmp(argv[1], "memory"))
        return global * 10 + own;
    if (!strcmp(argv[1], "number"))
        return getpid() == atoi(argv[2]) && gettid() == getpid();
    if (!strcmp(argv[1], "write"))
        return (int)write(atoi(argv[2]), "x", 1) == 1 ? 1 : errno;
    if (!strcmp(argv[1], "signals")) {
        struct sigaction usr1, usr2;
        sigaction(SIGUSR1, NULL, &usr1);
        sigaction(SIGUSR2, NULL, &usr2);
        sigprocmask(SIG_BLOCK, NULL, &blocked);
        return (usr1.sa_handler == SIG_DFL) + 2 * (usr2.sa_handler == SIG_IGN) + 4 * sigismember(&blocked, SIGTERM)
            + 8 * sigismember(&blocked, SIGUSR1);
    }
    if (!strcmp(argv[1], "read"))
        return (int)read(atoi(argv[2]), &c, 1) * 10 + (c == 'y');
    if (!strcmp(argv[1], "again") && argv[2][0] > '0') {
        argv[2][0]--;
        global++;
        execv(argv[0], argv);
    }
    if (!strcmp(argv[1], "group"))
        return getpgrp() == getpid();
    if (!strcmp(argv[1], "session"))
        return getsid(0) == getpid() && getpgrp() == getpid();
    return global;
}

static void wait_for(pid_t pid)
{
    int status = -1;
    say("%d\n", waitpid(pid, &status, 0) == pid);
    if (WIFEXITED(status))
        say("exited with %d\n", WEXITSTATUS(status));
    else
        say("killed by %d\n", WTERMSIG(status));
}

static void run(char *what, char *argument)
{
    char *arguments[] = { self, what, argument, NULL };
    pid_t pid = fork();
    if (!pid) {
        execv(self, arguments);
        _exit(errno);
    }
    wait_for(pid);
}

static void arguments_are_passed(void)
{
    run("arguments", "abc");
    run("arguments", "");
}

static void environment_is_passed(void)
{
    char *arguments[] = { self, "environment", NULL }, *variables[] = { "ONE=7", NULL };
    setenv("ONE", "3", 1);
    run("environment", NULL);
    pid_t pid = fork();
    if (!pid)
        _exit(execve(self, arguments, variables));
    wait_for(pid);
    pid = fork();
    if (!pid)
        _exit(execle(self, self, "environment", NULL, variables));
    wait_for(pid);
    unsetenv("ONE");
}

static void memory_is_new(void)
{
    global = 5, own = 6;
    run("memory", NULL);
    say("%d %d\n", global, own);
    global = 1, own = 2;
}

static void number_is_kept(void)
{
    char number[16];
    pid_t pid = fork();
    if (!pid) {
        sprintf(number, "%d", (int)getpid());
        _exit(execl(self, self, "number", number, NULL));
    }
    wait_for(pid);
}

static void descriptors(void)
{
    int p[2], q[2];
    char number[16], c[4];
    TRY(pipe(p));
    TRY(pipe2(q, O_CLOEXEC));
    sprintf(number, "%d", p[1]);
    run("write", number);
    sprintf(number, "%d", q[1]);
    run("write", number);
    TRY(fcntl(q[1], F_SETFD, 0));
    run("write", number);
    TRY(fcntl(p[1], F_SETFD, FD_CLOEXEC));
    sprintf(number, "%d", p[1]);
    run("write", number);
    TRY(read(p[0], c, 4));
    TRY(read(q[0], c, 4));
    close(p[0]), close(p[1]), close(q[0]), close(q[1]);
}

static void last_writer_execs(void)
{
    int p[2], q[2];
    char c, number[16];
    TRY(pipe2(p, O_CLOEXEC));
    TRY(pipe(q));
    sprintf(number, "%d", q[0]);
    pid_t pid = fork();
    if (!pid)
        _exit(execl(self, self, "read", number, NULL));
    TRY(close(p[1]));
    TRY(read(p[0], &c, 1)); /* the end: exec has closed the other one */
    TRY(write(q[1], "y", 1));
    wait_for(pid);
    close(p[0]), close(q[0]), close(q[1]);
}

static void signals(void)
{
    sigset_t set;
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    run("signals", NULL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    signal(SIGUSR1, SIG_DFL);
    signal(SIGUSR2, SIG_DFL);
}

static void again(void)
{
    run("again", "3");
}

static void handlers_are_forgotten(void)
{
    pid_t pid = fork();
    if (!pid) {
        atexit(forget);
        _exit(execl(self, self, "memory", NULL));
    }
    wait_for(pid);
}

static void pending_signal_is_kept(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pid_t pid = fork();
    if (!pid) {
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(SIGTERM);
        _exit(execl(self, self, "memory", NULL)); /* blocked there, too */
    }
    wait_for(pid);
}

static void errors(void)
{
    char *none[] = { "x", NULL }, long_name[NAME_MAX + 2], *huge[] = { "x", NULL, NULL };
    memset(long_name, 'n', sizeof long_name);
    long_name[NAME_MAX + 1] = 0;
    huge[1] = malloc(200000);
    memset(huge[1], 'a', 199999);
    huge[1][199999] = 0;
    TRY(mkdir("folder", 0700));
    TRY(close(open("plain", O_CREAT | O_WRONLY, 0600)));
    TRY(symlink("loop", "loop"));
    TRY(execv("missing", none));
    TRY(execv("", none));
    TRY(execv("folder", none));
    TRY(execv("plain", none));
    TRY(execv("plain/x", none));
    TRY(execv("loop", none));
    said("long", execv(long_name, none));
    TRY(execv(self, huge));
    TRY(execvp("missing-too", none));
    TRY(execvp("", none));
    said("long", execvp(long_name, none));
    TRY(execlp("./missing", "x", NULL));
    TRY(rmdir("folder"));
    TRY(unlink("plain"));
    TRY(unlink("loop"));
    free(huge[1]);
}

static void found_in_path(void)
{
    char folder[PATH_MAX], *name = strrchr(self, '/') + 1, *before = strdup(getenv("PATH"));
    sprintf(folder, "/nowhere:%.*s", (int)(name - self), self);
    setenv("PATH", folder, 1);
    pid_t pid = fork();
    if (!pid)
        _exit(execlp(name, self, "memory", NULL));
    wait_for(pid);
    setenv("PATH", before, 1);
    free(before);
}

static void by_vfork(void)
{
    pid_t pid = vfork();
    if (!pid) {
        execl(self, self, "memory", NULL);
        _exit(9);
    }
    wait_for(pid);
    pid = vfork();
    if (!pid)
        _exit(8);
    wait_for(pid);
}

/* --- posix_spawn */

static void spawn(char *what, char *argument, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how)
{
    char *arguments[] = { self, what, argument, NULL };
    pid_t pid = 0;
    TRY(posix_spawn(&pid, self, actions, how, arguments, environ));
    wait_for(pid);
}

static void spawned(void)
{
    spawn("arguments", "ab", NULL, NULL);
}

static void spawned_with_actions(void)
{
    posix_spawn_file_actions_t actions;
    int p[2];
    char c[8];
    TRY(pipe(p));
    TRY(posix_spawn_file_actions_init(&actions));
    TRY(posix_spawn_file_actions_adddup2(&actions, p[1], 20));
    TRY(posix_spawn_file_actions_addclose(&actions, p[1]));
    TRY(posix_spawn_file_actions_addclose(&actions, 99));
    spawn("write", "20", &actions, NULL);
    TRY(posix_spawn_file_actions_addclose(&actions, 20));
    spawn("write", "20", &actions, NULL);
    TRY(read(p[0], c, 8));
    TRY(posix_spawn_file_actions_addclose(&actions, -1));
    TRY(posix_spawn_file_actions_adddup2(&actions, -1, 3));
    TRY(posix_spawn_file_actions_destroy(&actions));
    close(p[0]), close(p[1]);
}

static void spawned_keeps_descriptor(void)
{
    posix_spawn_file_actions_t actions;
    int p[2];
    char number[16];
    TRY(pipe2(p, O_CLOEXEC));
    sprintf(number, "%d", p[1]);
    TRY(posix_spawn_file_actions_init(&actions));
    spawn("write", number, &actions, NULL);
    TRY(posix_spawn_file_actions_adddup2(&actions, p[1], p[1]));
    spawn("write", number, &actions, NULL);
    TRY(posix_spawn_file_actions_destroy(&actions));
    close(p[0]), close(p[1]);
}

static void spawned_with_signals(void)
{
    posix_spawnattr_t how;
    sigset_t set;
    signal(SIGUSR2, SIG_IGN);
    TRY(posix_spawnattr_init(&how));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    TRY(posix_spawnattr_setsigmask(&how, &set));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    TRY(posix_spawnattr_setsigdefault(&how, &set));
    spawn("signals", NULL, NULL, &how);
    TRY(posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK));
    spawn("signals", NULL, NULL, &how);
    TRY(posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF));
    spawn("signals", NULL, NULL, &how);
    signal(SIGUSR2, SIG_DFL);
}

static void spawned_in_group(void)
{
    posix_spawnattr_t how;
    TRY(posix_spawnattr_init(&how));
    spawn("group", NULL, NULL, &how);
    TRY(posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP));
    spawn("group", NULL, NULL, &how);
    TRY(posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID));
    spawn("session", NULL, NULL, &how);
}

static void errors_of_spawn(void)
{
    posix_spawn_file_actions_t actions;
    char *arguments[] = { "x", NULL };
    pid_t pid = 5;
    int status;
    say("%s\n", strerrorname_np(posix_spawn(&pid, "missing", NULL, NULL, arguments, environ)));
    say("%s\n", strerrorname_np(posix_spawnp(&pid, "missing-too", NULL, NULL, arguments, environ)));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, 77, 3);
    say("%s\n", strerrorname_np(posix_spawn(&pid, self, &actions, NULL, arguments, environ)));
    posix_spawn_file_actions_destroy(&actions);
    TRY(waitpid(-1, &status, 0));
}

static void child_of_group_is_fixed_by_exec(void)
{
    int p[2], q[2];
    char number[16], c;
    TRY(pipe(p));
    TRY(pipe2(q, O_CLOEXEC));
    sprintf(number, "%d", p[0]);
    pid_t pid = fork();
    if (!pid)
        _exit(execl(self, self, "read", number, NULL));
    TRY(close(q[1]));
    TRY(read(q[0], &c, 1)); /* it has become the program */
    said("setpgid", setpgid(pid, pid));
    TRY(write(p[1], "y", 1));
    wait_for(pid);
    close(p[0]), close(p[1]), close(q[0]);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return as_child(argc, argv);
    self = argv[0];
    RUN(arguments_are_passed);
    RUN(environment_is_passed);
    RUN(memory_is_new);
    RUN(number_is_kept);
    RUN(descriptors);
    RUN(last_writer_execs);
    RUN(signals);
    RUN(again);
    RUN(handlers_are_forgotten);
    RUN(pending_signal_is_kept);
    RUN(errors);
    RUN(found_in_path);
    RUN(by_vfork);
    RUN(spawned);
    RUN(spawned_with_actions);
    RUN(spawned_keeps_descriptor);
    RUN(spawned_with_signals);
    RUN(spawned_in_group);
    RUN(errors_of_spawn);
    RUN(child_of_group_is_fixed_by_exec);
    return finish();
}
