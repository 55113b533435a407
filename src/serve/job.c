#include "serve/job.h"

#include "base/clock.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct hd_serve_job {
    pid_t pid;
    int process, pipe; /* its pidfd, which says when it has ended; its output */
    hd_serve_limits limits;
    double started, seconds; /* seconds: of a job that has ended */
    hd_vec(char) output; /* ends with a zero byte */
    int status;
    bool ended, cut;
};

/* --- the process ------------------------------------------------------------------------------------ */

/* The sanitizers reserve more address space than any limit would allow. */
static void limit_memory(size_t bytes)
{
#ifndef __SANITIZE_ADDRESS__
    if (bytes)
        setrlimit(RLIMIT_AS, &(struct rlimit) { bytes, bytes });
#else
    (void)bytes;
#endif
}

static int become(pid_t server, int output, const hd_serve_limits *limits, const sigset_t *mask)
{
    int null = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    limit_memory(limits->memory);
    /* The server may have ended before the signal was asked for. Its connections are not the job's. */
    return getppid() == server && dup2(null, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2
            && !close_range(3, ~0u, 0)
        ? 0
        : -1;
}

hd_serve_job *hd_serve_job_start(
    int (*run)(const void *context), const void *context, const hd_serve_limits *limits, hd_error *error)
{
    int line[2];
    pid_t server = getpid();
    if (pipe2(line, O_CLOEXEC) < 0) {
        hd_fail(error, "a process cannot be started: %s", strerror(errno));
        return NULL;
    }
    fflush(NULL);
    /* The server may ignore a signal that ends the job. Sent at once, it has to wait until the job does not ignore it.
     */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t pid = fork();
    if (pid == 0) {
        int status = become(server, line[1], limits, &before) ? HD_EXIT_INTERNAL : run(context);
        fflush(NULL);
        _exit(status);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(line[1]);
    if (pid < 0) {
        close(line[0]);
        hd_fail(error, "a process cannot be started: %s", strerror(errno));
        return NULL;
    }
    /* Also here: either process may be the first to need it. */
    setpgid(pid, pid);
    fcntl(line[0], F_SETFL, O_NONBLOCK);
    hd_serve_job *j = hd_alloc(&hd_heap, sizeof *j);
    *j = (hd_serve_job) {
        .pid = pid, .process = pidfd_open(pid, 0), .pipe = line[0], .limits = *limits, .started = hd_now()
    };
    hd_assert(j->process >= 0);
    hd_vec_push(&j->output, '\0');
    return j;
}

/* --- waiting for it ------------------------------------------------------------------------------------ */

static void add_descriptor(int fd, fd_set *reading, int *most)
{
    hd_assert(fd < FD_SETSIZE);
    FD_SET(fd, reading);
    *most = fd > *most ? fd : *most;
}

void hd_serve_job_wait(const hd_serve_job *j, fd_set *reading, int *most)
{
    if (j->ended)
        return;
    add_descriptor(j->process, reading, most);
    if (j->pipe >= 0)
        add_descriptor(j->pipe, reading, most);
}

static void take(hd_serve_job *j, const char *bytes, size_t count)
{
    size_t used = j->output.count - 1, room = j->limits.output > used ? j->limits.output - used : 0;
    j->cut |= count > room;
    count = count < room ? count : room;
    hd_vec_reserve(&j->output, count);
    memcpy(j->output.items + used, bytes, count);
    j->output.count += count;
    j->output.items[j->output.count - 1] = '\0';
}

static void read_output(hd_serve_job *j)
{
    char bytes[1 << 16];
    ssize_t got;
    while (j->pipe >= 0 && (got = read(j->pipe, bytes, sizeof bytes)) != 0) {
        if (got < 0)
            return;
        take(j, bytes, (size_t)got);
    }
    /* Nothing can come any more. */
    if (j->pipe >= 0)
        close(j->pipe);
    j->pipe = -1;
}

static void finish(hd_serve_job *j)
{
    int raw = 0;
    /* Before it is waited for: until then, nothing else can have its number. */
    kill(-j->pid, SIGKILL);
    while (waitpid(j->pid, &raw, 0) < 0 && errno == EINTR) { }
    read_output(j);
    close(j->process);
    if (j->pipe >= 0)
        close(j->pipe);
    j->pipe = j->process = -1;
    j->status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
    j->seconds = hd_now() - j->started;
    j->ended = true;
}

static bool is_over(const hd_serve_job *j)
{
    siginfo_t about = { 0 };
    return !waitid(P_PID, (id_t)j->pid, &about, WEXITED | WNOHANG | WNOWAIT) && about.si_pid;
}

void hd_serve_job_advance(hd_serve_job *j)
{
    if (j->ended)
        return;
    read_output(j);
    bool late = j->limits.seconds > 0 && hd_now() - j->started > j->limits.seconds;
    j->cut |= late;
    if (late || is_over(j))
        finish(j);
}

void hd_serve_job_interrupt(hd_serve_job *j)
{
    if (!j->ended)
        kill(j->pid, SIGINT);
}

/* --- what it has done ------------------------------------------------------------------------------------ */

bool hd_serve_job_has_ended(const hd_serve_job *j)
{
    return j->ended;
}

int hd_serve_job_status(const hd_serve_job *j)
{
    return j->status;
}

const char *hd_serve_job_output(const hd_serve_job *j)
{
    return j->output.items;
}

bool hd_serve_job_is_cut(const hd_serve_job *j)
{
    return j->cut;
}

double hd_serve_job_seconds(const hd_serve_job *j)
{
    return j->ended ? j->seconds : hd_now() - j->started;
}

void hd_serve_job_close(hd_serve_job *j)
{
    if (!j->ended)
        finish(j);
    hd_vec_fini(&j->output);
    hd_release(&hd_heap, j, sizeof *j);
}
