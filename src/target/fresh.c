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

/* Without opendir, which would change the heap of the C library. */
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
} answer;

static _Noreturn void run_program(const hd_runtime *runtime, int line)
{
    close(line);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    runtime->begin_process();
    runtime->run();
    fflush(NULL);
    _exit(0);
}

/* When the system has no room for a process: again, for some seconds. */
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

static _Noreturn void serve(const hd_runtime *runtime, int line)
{
    descriptors at_start;
    char request;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it never outlives the worker */
    note_descriptors(&at_start);
    while (read(line, &request, 1) == 1) {
        answer a = { 0 };
        put_back_descriptors(&at_start);
        pid_t child = fork_patiently();
        if (child == 0)
            run_program(runtime, line);
        if (child < 0)
            a.failure = errno;
        while (child > 0 && waitpid(child, &a.status, 0) < 0 && errno == EINTR) { }
        if (write(line, &a, sizeof a) != sizeof a)
            break;
    }
    _exit(0);
}

/* The worker's own descriptors are not for it. */
static void keep_only(int fd)
{
    if (fd > HD_DESCRIPTORS)
        close_range(HD_DESCRIPTORS, (unsigned)fd - 1, 0);
    close_range(fd >= HD_DESCRIPTORS ? (unsigned)fd + 1 : HD_DESCRIPTORS, ~0u, 0);
}

void hd_fresh_open(hd_fresh *f, const hd_runtime *runtime)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        hd_panic("no line to a fresh process: %s", strerror(errno));
    ends[0] = hd_descriptor_set_aside(ends[0], false);
    ends[1] = hd_descriptor_set_aside(ends[1], false);
    pid_t process = fork();
    if (process < 0)
        hd_panic("no fresh process: %s", strerror(errno));
    if (process == 0) {
        close(ends[0]);
        keep_only(ends[1]);
        serve(runtime, ends[1]);
    }
    close(ends[1]);
    *f = (hd_fresh) { ends[0], true };
}

static bool receive(int line, answer *a)
{
    ssize_t got;
    while ((got = recv(line, a, sizeof *a, MSG_WAITALL)) < 0 && errno == EINTR) { }
    return got == sizeof *a;
}

/* An execution that cannot be started must not be taken for one that has run. */
bool hd_fresh_run(const hd_fresh *f, int *status)
{
    answer a;
    hd_assert(f->open);
    if (send(f->line, "", 1, MSG_NOSIGNAL) != 1 || !receive(f->line, &a))
        return false;
    if (a.failure)
        hd_panic("no process for an execution: %s", strerror(a.failure));
    *status = a.status;
    return true;
}
