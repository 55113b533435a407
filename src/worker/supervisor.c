#include "worker/supervisor.h"
#include "worker/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TICK_MS = 200, MOST_DEATHS = 1000 };

/* --- the region -------------------------------------------------------------------------- */

/* build/heddle has build/lib/heddle beside it; PREFIX/bin/heddle has PREFIX/lib/heddle. */
static bool find_engine(char *path, size_t size, hd_error *error)
{
    char self[4000];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return hd_fail(error, "cannot find heddle's own files: %s", strerror(errno));
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(path, size, "%s/lib/heddle/engine.so", self);
    if (!access(path, R_OK))
        return true;
    snprintf(path, size, "%s/../lib/heddle/engine.so", self);
    return !access(path, R_OK) || hd_fail(error, "heddle's engine is missing: %s; build or install heddle again", path);
}

bool hd_supervisor_open(hd_supervisor *v, const char *program, char **arguments, hd_error *error)
{
    *v = (hd_supervisor) { .program = program, .arguments = arguments, .region_fd = -1 };
    if (!find_engine(v->engine_path, sizeof v->engine_path, error))
        return false;
    v->region_fd = hd_region_make(error);
    if (v->region_fd < 0 || !hd_region_map(v->region_fd, error))
        return false;
    v->session = (hd_session *)HD_ENGINE_BASE;
    v->session->magic = HD_SESSION_MAGIC;
    hd_region_init(&v->session->region, v->session + 1, (void *)HD_CHECKPOINT_BASE);
    return true;
}

void hd_supervisor_close(hd_supervisor *v)
{
    if (v->session)
        munmap(v->session, HD_RUN_BASE - HD_ENGINE_BASE);
    if (v->region_fd >= 0)
        close(v->region_fd);
    v->session = NULL;
    v->region_fd = -1;
}

/* --- one worker ---------------------------------------------------------------------------- */

typedef struct child {
    pid_t pid;
    int line; /* its news */
    int errors; /* what it prints to standard error while exploring */
} child;

static void set_number(const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

static void become_worker(const hd_supervisor *v, int line, int errors)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a worker never outlives its supervisor */
    personality(ADDR_NO_RANDOMIZE);
    setenv(HD_ENV_ENGINE, v->engine_path, 1);
    set_number(HD_ENV_REGION, v->region_fd);
    set_number(HD_ENV_LINE, line);
    if (v->symbolic)
        setenv(HD_ENV_SYMBOLIC, v->symbolic, 1);
    else
        unsetenv(HD_ENV_SYMBOLIC);
    if (!v->show_output) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        signal(SIGINT, SIG_IGN); /* the supervisor tells the worker to stop */
    }
    execvp(v->program, v->arguments);
    dprintf(STDERR_FILENO, "%s", strerror(errno));
    _exit(127);
}

static bool start(const hd_supervisor *v, child *c, hd_error *error)
{
    int line[2];
    c->errors = memfd_create("errors", 0);
    if (c->errors < 0 || pipe(line) < 0)
        return hd_fail(error, "cannot start a worker: %s", strerror(errno));
    fflush(NULL);
    c->pid = fork();
    if (c->pid == 0) {
        close(line[0]);
        become_worker(v, line[1], c->errors);
    }
    close(line[1]);
    c->line = line[0];
    return c->pid > 0 || hd_fail(error, "cannot start a worker: %s", strerror(errno));
}

/* Waits until the worker is gone; gives its wait status. */
static int watch(hd_supervisor *v, child *c)
{
    struct pollfd news = { .fd = c->line, .events = POLLIN };
    char bytes[64];
    while (true) {
        int ready = poll(&news, 1, TICK_MS);
        if (ready > 0 && read(c->line, bytes, sizeof bytes) <= 0)
            break;
        if (v->tick)
            v->tick(v->context, v->session);
    }
    close(c->line);
    int status = 0;
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) { }
    return status;
}

/* --- sessions --------------------------------------------------------------------------------- */

static void read_errors(const child *c, char *text, size_t size)
{
    ssize_t length = pread(c->errors, text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static bool did_not_start(const hd_supervisor *v, const child *c, int status, hd_error *error)
{
    char text[400];
    read_errors(c, text, sizeof text);
    if (WIFSIGNALED(status))
        return hd_fail(error, "%s was killed by signal %d (%s) before main was reached", v->program, WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == 127)
        return hd_fail(error, "cannot start %s: %s", v->program, text);
    if (*text)
        return hd_fail(error, "%s does not start: %s", v->program, text);
    return hd_fail(error, "%s ended with status %d before main was reached", v->program, WEXITSTATUS(status));
}

/* The engine was in the middle of changing its memory: back to the last
 * checkpoint, or to the start. */
static void go_back(hd_session *s)
{
    if (hd_checkpoint_restore(s)) {
        s->phase = HD_PHASE_ENGINE;
        return;
    }
    s->run = NULL;
    s->phase = HD_PHASE_NEW;
    s->found_count = s->notice_count = 0;
    memset(&s->counts, 0, sizeof s->counts);
    hd_region_init(&s->region, s + 1, (void *)HD_CHECKPOINT_BASE);
}

/* The engine itself found that it is wrong: no verdict may come of that. */
static _Noreturn void give_up(const child *c)
{
    char text[400];
    read_errors(c, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(HD_EXIT_INTERNAL);
}

bool hd_supervisor_run(hd_supervisor *v, hd_error *error)
{
    hd_session *s = v->session;
    while (!s->ended) {
        child c = { .pid = -1 };
        if (!start(v, &c, error))
            return false;
        int status = watch(v, &c);
        bool failed = s->phase == HD_PHASE_NEW && !(s->deaths && WIFSIGNALED(status));
        if (failed)
            did_not_start(v, &c, status, error);
        else if (WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_INTERNAL)
            give_up(&c);
        close(c.errors);
        if (failed)
            return false;
        if (s->ended)
            break;
        if (v->once)
            return hd_fail(error, "%s was killed in the middle of the execution", v->program);
        if (++s->deaths > MOST_DEATHS)
            return hd_fail(error, "the worker died %d times; giving up", MOST_DEATHS);
        if (s->phase == HD_PHASE_ENGINE && s->config.mode == HD_MODE_BATCH)
            return hd_fail(error, "the worker was killed while it looked at a test");
        if (s->phase == HD_PHASE_ENGINE)
            go_back(s);
    }
    return true;
}
