// fork, the ends of processes, and waiting for them. Whatever the schedule is, the results are the same.
// THREADS: 768
#include "transcript.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int global = 1;
static _Thread_local int own = 2;

static void say_status(int status)
{
    if (WIFEXITED(status))
        say("exited with %d\n", WEXITSTATUS(status));
    else
        say("killed by %d\n", WTERMSIG(status));
}

static void wait_for(pid_t pid)
{
    int status = -1;
    say("%d\n", waitpid(pid, &status, 0) == pid);
    say_status(status);
}

static void memory_is_copied(void)
{
    int local = 3;
    int *block = malloc(sizeof *block);
    *block = 4;
    pid_t pid = fork();
    if (!pid) {
        int sum = global + own + local + *block; /* 10 */
        global = own = local = *block = 100;
        _exit(sum);
    }
    global += 10, own += 10, local += 10, *block += 10;
    wait_for(pid);
    say("%d %d %d %d\n", global, own, local, *block);
    global = 1, own = 2;
    free(block);
}

static void child_frees(void)
{
    char *block = strcpy(malloc(10), "parent");
    pid_t pid = fork();
    if (!pid) {
        free(block);
        block = strcpy(malloc(10), "child");
        _exit(strcmp(block, "child") != 0);
    }
    wait_for(pid);
    say("%s\n", block);
    free(block);
}

static int depth_of(int n)
{
    volatile char frame[512];
    frame[0] = (char)n;
    return n ? depth_of(n - 1) + frame[0] - (n - 1) : 0;
}

static void stacks_grow_apart(void)
{
    pid_t pid = fork();
    if (!pid)
        _exit(depth_of(100));
    say("%d\n", depth_of(20));
    wait_for(pid);
}

static void numbers(void)
{
    pid_t self = getpid();
    pid_t pid = fork();
    if (!pid)
        _exit(getppid() == self && getpid() != self && gettid() == getpid());
    say("%d %d\n", pid > 0, getpid() == self);
    wait_for(pid);
}

static void pipes_are_inherited(void)
{
    int to[2], from[2];
    char c = 0;
    TRY(pipe(to));
    TRY(pipe(from));
    pid_t pid = fork();
    if (!pid) {
        close(to[1]);
        while (read(to[0], &c, 1) == 1) {
            c++;
            write(from[1], &c, 1);
        }
        _exit(7);
    }
    close(to[0]);
    close(from[1]);
    TRY(write(to[1], "ab", 2));
    TRY(read(from[0], &c, 1));
    say("%c\n", c);
    TRY(read(from[0], &c, 1));
    say("%c\n", c);
    TRY(close(to[1]));
    TRY(read(from[0], &c, 1));
    wait_for(pid);
    TRY(close(from[0]));
}

static void end_of_child_closes(void)
{
    int p[2];
    char c;
    TRY(pipe(p));
    pid_t pid = fork();
    if (!pid)
        _exit(0);
    TRY(close(p[1]));
    TRY(read(p[0], &c, 1));
    wait_for(pid);
    TRY(close(p[0]));
}

static void socketpair_between(void)
{
    int s[2];
    char c[4] = "";
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    pid_t pid = fork();
    if (!pid) {
        close(s[0]);
        long got = recv(s[1], c, 4, 0);
        send(s[1], c, (size_t)got, 0);
        _exit((int)got);
    }
    TRY(close(s[1]));
    TRY(send(s[0], "xyz", 3, 0));
    TRY(recv(s[0], c, 4, 0));
    say("%.3s\n", c);
    wait_for(pid);
    TRY(recv(s[0], c, 4, 0));
    TRY(close(s[0]));
}

static void shared_mapping(void)
{
    sem_t *sem = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int *shared = (int *)(sem + 1);
    TRY(sem_init(sem, 1, 0));
    pid_t pid = fork();
    if (!pid) {
        *shared = 5;
        sem_post(sem);
        _exit(0);
    }
    TRY(sem_wait(sem));
    say("%d\n", *shared);
    wait_for(pid);
    TRY(munmap(sem, 4096));
}

static void private_mapping(void)
{
    int *own_copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t pid = fork();
    if (!pid) {
        *own_copy = 5;
        _exit(*own_copy);
    }
    wait_for(pid);
    say("%d\n", *own_copy);
    TRY(munmap(own_copy, 4096));
}

static void lock_is_held_in_child(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    TRY(pthread_mutex_lock(&m));
    pid_t pid = fork();
    if (!pid) {
        int locked = pthread_mutex_trylock(&m);
        int unlocked = pthread_mutex_unlock(&m);
        int again = pthread_mutex_trylock(&m);
        _exit((locked == EBUSY) * 4 + (unlocked == 0) * 2 + (again == 0));
    }
    wait_for(pid);
    TRY(pthread_mutex_trylock(&m));
    TRY(pthread_mutex_unlock(&m));
}

static void shared_mutex(void)
{
    pthread_mutexattr_t shared;
    pthread_mutex_t *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
    TRY(pthread_mutex_init(m, &shared));
    pid_t pid = fork();
    if (!pid) {
        pthread_mutex_lock(m);
        _exit(0); /* holds it */
    }
    wait_for(pid);
    TRY(pthread_mutex_lock(m));
    TRY(pthread_mutex_consistent(m));
    TRY(pthread_mutex_unlock(m));
    TRY(munmap(m, 4096));
}

static void at_exit_in_child(void)
{
    int p[2];
    char text[32] = "";
    TRY(pipe(p));
    pid_t pid = fork();
    if (!pid) {
        dprintf(p[1], "bye");
        exit(300);
    }
    wait_for(pid);
    TRY(read(p[0], text, sizeof text));
    say("%s\n", text);
    close(p[0]);
    close(p[1]);
}

static void wait_for_any(void)
{
    int status, sum = 0;
    TRY(wait(&status));
    for (int i = 1; i < 3; i++)
        if (!fork())
            _exit(i);
    for (int i = 1; i < 3; i++) {
        say("%d\n", wait(&status) > 0);
        sum += WEXITSTATUS(status);
    }
    say("%d\n", sum);
    TRY(wait(&status));
    TRY(waitpid(-1, &status, WNOHANG));
}

static void wait_for_each(void)
{
    pid_t first = fork();
    if (!first)
        _exit(1);
    pid_t second = fork();
    if (!second)
        _exit(2);
    wait_for(second);
    wait_for(first);
    int status;
    said("waitpid", waitpid(first, &status, 0));
}

static void errors_of_wait(void)
{
    int status;
    TRY(waitpid(1, &status, 0));
    TRY(waitpid(999999, &status, 0));
    TRY(waitpid(-1, &status, 0x10000000));
    TRY(waitid(P_ALL, 0, NULL, 0));
    TRY(waitid(P_ALL, 0, NULL, WEXITED));
    TRY(kill(999999, 0));
    TRY(kill(getpid(), -1));
    TRY(kill(getpid(), 0));
}

static void wait_without_status(void)
{
    pid_t pid = fork();
    if (!pid)
        _exit(9);
    struct rusage usage;
    say("%d\n", wait4(pid, NULL, 0, &usage) == pid);
}

static void wait_with_information(void)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    pid_t pid = fork();
    if (!pid)
        _exit(11);
    TRY(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
    say("%d %d %d %d\n", info.si_signo, info.si_code, info.si_pid == pid, info.si_status);
    TRY(waitid(P_ALL, 0, &info, WEXITED));
    say("%d %d %d\n", info.si_code, info.si_pid == pid, info.si_status);
    TRY(waitid(P_ALL, 0, &info, WEXITED));
}

static void grandchild(void)
{
    int p[2];
    char c = 0;
    TRY(pipe(p));
    pid_t pid = fork();
    if (!pid) {
        global = 20;
        pid_t next = fork();
        if (!next) {
            c = (char)(global + 1);
            global = 30;
            write(p[1], &c, 1);
            _exit(global);
        }
        int status = 0;
        waitpid(next, &status, 0);
        _exit(WEXITSTATUS(status) + global);
    }
    wait_for(pid);
    TRY(read(p[0], &c, 1));
    say("%d %d\n", c, global);
    close(p[0]);
    close(p[1]);
}

static void nobody_waits_for_orphans(void)
{
    int p[2], status;
    char c;
    TRY(pipe(p));
    pid_t pid = fork();
    if (!pid) {
        if (!fork()) {
            write(p[1], "o", 1);
            _exit(1);
        }
        _exit(2);
    }
    wait_for(pid);
    TRY(close(p[1]));
    TRY(read(p[0], &c, 1));
    TRY(read(p[0], &c, 1));
    TRY(waitpid(-1, &status, 0));
    TRY(close(p[0]));
}

static void broken_pipe_in_child(void)
{
    int p[2];
    TRY(pipe(p));
    signal(SIGPIPE, SIG_IGN);
    TRY(close(p[0]));
    pid_t pid = fork();
    if (!pid)
        _exit(write(p[1], "x", 1) == -1 && errno == EPIPE);
    wait_for(pid);
    TRY(close(p[1]));
    signal(SIGPIPE, SIG_DFL);
}

static int order[8], ordered;

static void note(int number)
{
    if (ordered < 8)
        order[ordered++] = number;
}

static void first(void)
{
    note(1);
}

static void second(void)
{
    note(2);
}

static void third(void)
{
    note(3);
}

static void handlers_of_fork(void)
{
    TRY(pthread_atfork(first, second, third));
    ordered = 0;
    pid_t pid = fork();
    if (!pid)
        _exit(order[0] * 10 + order[1]);
    say("%d %d\n", order[0], order[1]);
    wait_for(pid);
}

static void *add_one(void *to)
{
    ++*(int *)to;
    return NULL;
}

static void child_with_threads(void)
{
    int sum = 0;
    pid_t pid = fork();
    if (!pid) {
        pthread_t t;
        pthread_create(&t, NULL, add_one, &sum);
        pthread_join(t, NULL);
        _exit(sum);
    }
    wait_for(pid);
    say("%d\n", sum);
}

static void threads_before(void)
{
    int sum = 0;
    pthread_t t;
    pthread_create(&t, NULL, add_one, &sum);
    pthread_join(t, NULL);
    pid_t pid = fork();
    if (!pid)
        _exit(sum + 1);
    wait_for(pid);
}

int main(void)
{
    RUN(memory_is_copied);
    RUN(child_frees);
    RUN(stacks_grow_apart);
    RUN(numbers);
    RUN(pipes_are_inherited);
    RUN(end_of_child_closes);
    RUN(socketpair_between);
    RUN(shared_mapping);
    RUN(private_mapping);
    RUN(lock_is_held_in_child);
    RUN(shared_mutex);
    RUN(at_exit_in_child);
    RUN(wait_for_any);
    RUN(wait_for_each);
    RUN(errors_of_wait);
    RUN(wait_without_status);
    RUN(wait_with_information);
    RUN(grandchild);
    RUN(nobody_waits_for_orphans);
    RUN(broken_pipe_in_child);
    RUN(handlers_of_fork);
    RUN(child_with_threads);
    RUN(threads_before);
    return finish();
}
