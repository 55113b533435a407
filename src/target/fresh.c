#include "target/fresh.h"

#include "base/descriptor.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- descriptors that were open before main --------------------------------------- */

enum { MOST_DESCRIPTORS = 64 };

typedef struct descriptors {
    struct {
        int fd, flags;
        off_t offset; /* or -1 */
    } items[MOST_DESCRIPTORS];
    uint32_t count;
} descriptors;

static void note_descriptor(descriptors *d, int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fd >= HD_DESCRIPTORS)
        return;
    /* Unseekable descriptors have offset -1. */
    hd_assert(d->count < MOST_DESCRIPTORS);
    d->items[d->count].fd = fd;
    d->items[d->count].flags = flags;
    d->items[d->count++].offset = lseek(fd, 0, SEEK_CUR);
}

/* An entry of a directory as the kernel gives it. */
typedef struct entry {
    uint64_t inode, offset;
    uint16_t size;
    uint8_t type;
    char name[];
} entry;

/* Reads /proc/self/fd with the system call, because opendir would allocate from the C library's heap. */
static void note_descriptors(descriptors *d)
{
    _Alignas(entry) char bytes[4096];
    int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long size;
    d->count = 0;
    while ((size = syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0)
        for (long at = 0; at < size; at += ((entry *)(bytes + at))->size) {
            const char *name = ((entry *)(bytes + at))->name;
            int fd = *name == '.' ? folder : atoi(name);
            if (fd != folder)
                note_descriptor(d, fd);
        }
    close(folder);
}

static void put_back_descriptors(const descriptors *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        fcntl(d->items[i].fd, F_SETFL, d->items[i].flags);
        if (d->items[i].offset >= 0)
            lseek(d->items[i].fd, d->items[i].offset, SEEK_SET);
    }
}

/* --- the process -------------------------------------------------------------------- */

typedef struct answer {
    int status;
    int failure; /* errno, if there is no child */
    double seconds; /* of processor time, its own and the child's */
} answer;

static double seconds_of(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

static double own_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
}

typedef struct program {
    void (*run)(void *context);
    void *context;
} program;

/* A process never outlives the one that started it. */
static void die_with(pid_t parent)
{
    /* The parent may have died before the prctl took effect: then the parent's number has changed. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

static _Noreturn void run_program(const program *p, int line, pid_t parent)
{
    /* The child has no business with the requests. */
    close(line);
    die_with(parent);
    p->run(p->context);
    /* _exit does not flush what the program left in its buffers. */
    fflush(NULL);
    _exit(0);
}

/* fork, repeated for up to ten seconds if the system has no room for a process. */
static pid_t fork_patiently(void)
{
    enum { TRIES = 500 };
    pid_t child = fork();
    for (int i = 0; child < 0 && i < TRIES; i++) {
        nanosleep(&(struct timespec) { .tv_nsec = 20000000 }, NULL);
        child = fork();
    }
    return child;
}

/* The process's whole life: one child per request byte. It runs neither the program nor the engine,
 * so its private memory never changes. */
static _Noreturn void serve(const program *p, const descriptors *at_start, int line)
{
    char request;
    pid_t self = getpid();
    while (read(line, &request, 1) == 1) {
        answer a = { 0 };
        struct rusage used = { 0 };
        double before = own_seconds();
        /* Every child starts with the same offsets and flags. */
        put_back_descriptors(at_start);
        pid_t child = fork_patiently();
        if (child == 0)
            run_program(p, line, self);
        if (child < 0)
            a.failure = errno;
        while (child > 0 && wait4(child, &a.status, 0, &used) < 0 && errno == EINTR) { }
        put_back_descriptors(at_start); /* the worker shares these file descriptions with the child */
        /* Its own time is the cost of the fork. */
        a.seconds = own_seconds() - before + seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
        if (write(line, &a, sizeof a) != sizeof a)
            break;
    }
    _exit(0);
}

void hd_fresh_open(hd_fresh *f, void (*run)(void *context), void *context)
{
    int ends[2];
    descriptors at_start;
    /* Before the fork: afterwards the worker runs executions, and these move the offsets that both processes share. */
    note_descriptors(&at_start);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        hd_panic("no line to a fresh process: %s", strerror(errno));
    ends[0] = hd_descriptor_set_aside(ends[0], false);
    ends[1] = hd_descriptor_set_aside(ends[1], false);
    pid_t worker = getpid(), process = fork();
    if (process < 0)
        hd_panic("no fresh process: %s", strerror(errno));
    if (process == 0) {
        close(ends[0]);
        die_with(worker);
        serve(&(program) { run, context }, &at_start, ends[1]);
    }
    close(ends[1]);
    *f = (hd_fresh) { .line = ends[0], .open = true };
}

static bool receive(int line, answer *a)
{
    ssize_t got;
    while ((got = recv(line, a, sizeof *a, MSG_WAITALL)) < 0 && errno == EINTR) { }
    return got == sizeof *a;
}

/* A failed fork is a panic: an execution that was not started must never count as one that ran. */
bool hd_fresh_run(hd_fresh *f, int *status)
{
    answer a;
    hd_assert(f->open);
    if (send(f->line, "", 1, MSG_NOSIGNAL) != 1 || !receive(f->line, &a))
        return false;
    if (a.failure)
        hd_panic("no process for an execution: %s", strerror(a.failure));
    *status = a.status;
    f->seconds = a.seconds;
    return true;
}
