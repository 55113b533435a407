#include "supervisor/supervisor.h"
#include "worker/checkpoint.h"
#include "worker/crew.h"

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/library.h"

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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* MOST_FUTILE: worker deaths in a row without a new execution, after which the session is given up. */
enum { TICK_MS = 100, MOST_DEATHS = 1000, MOST_FUTILE = 50 };

struct hd_supervisor {
    hd_supervisor_options options;
    int region_fd;
    hd_session *session; /* mapped at its fixed address */
    char engine_path[4096];
    bool late; /* the last worker was killed because the end was due */
};

/* --- the region -------------------------------------------------------------------------- */

static bool find_engine(hd_supervisor *v, hd_error *error)
{
    hd_arena arena;
    const char *folder;
    hd_arena_init(&arena, &hd_heap);
    bool found = hd_library_find(&arena, &folder, error);
    if (found)
        snprintf(v->engine_path, sizeof v->engine_path, "%s/engine.so", folder);
    hd_arena_fini(&arena);
    return found
        && (!access(v->engine_path, R_OK)
            || hd_fail(error, "heddle's engine is missing: %s; build or install heddle again", v->engine_path));
}

static void set_number(const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

/* Standard input from a pipe can be read only once. Workers save it in a memory file, which they
 * all inherit. Its descriptor lies just below heddle's own, because the processes that executions
 * are forked from close those. */
static void keep_input(void)
{
    struct stat status;
    if (getenv(HD_ENV_INPUT) || fstat(STDIN_FILENO, &status) || S_ISREG(status.st_mode) || S_ISCHR(status.st_mode))
        return;
    int memory = memfd_create("heddle-stdin", 0);
    set_number(HD_ENV_INPUT, fcntl(memory, F_DUPFD, HD_DESCRIPTORS - 1));
    close(memory);
}

static void make_session(hd_supervisor *v)
{
    v->session = (hd_session *)HD_ENGINE_BASE;
    v->session->magic = HD_SESSION_MAGIC;
    hd_region_init(&v->session->region, v->session + 1, (void *)HD_CHECKPOINT_BASE);
    v->session->keep = (hd_keep *)HD_KEEP_BASE;
    if (!v->session->keep->region.start) /* findings stay */
        hd_region_init(&v->session->keep->region, v->session->keep + 1, (void *)HD_RUN_BASE);
}

hd_supervisor *hd_supervisor_open(const hd_supervisor_options *options, hd_error *error)
{
    hd_supervisor *v = hd_alloc(&hd_heap, sizeof *v);
    *v = (hd_supervisor) { .options = *options, .region_fd = -1 };
    keep_input();
    bool found = find_engine(v, error);
    if (found)
        v->region_fd = hd_region_make(error);
    if (v->region_fd < 0 || !hd_region_map(v->region_fd, error)) {
        hd_supervisor_close(v);
        return NULL;
    }
    make_session(v);
    return v;
}

int hd_supervisor_region(const hd_supervisor *v)
{
    return v->region_fd;
}

bool hd_supervisor_adopt(hd_supervisor *v, int region_fd, bool quiet, hd_error *error)
{
    munmap(v->session, HD_RUN_BASE - HD_ENGINE_BASE);
    v->region_fd = region_fd;
    if (quiet)
        v->options.tick = NULL;
    if (!hd_region_map(region_fd, error))
        return false;
    memset((void *)HD_ENGINE_BASE, 0, sizeof(hd_session));
    make_session(v);
    return true;
}

void hd_supervisor_close(hd_supervisor *v)
{
    if (v->session)
        munmap(v->session, HD_RUN_BASE - HD_ENGINE_BASE);
    if (v->region_fd >= 0)
        close(v->region_fd);
    hd_release(&hd_heap, v, sizeof *v);
}

void hd_supervisor_pause(hd_supervisor *v)
{
    munmap(v->session, HD_RUN_BASE - HD_ENGINE_BASE);
    v->session = NULL;
}

bool hd_supervisor_resume(hd_supervisor *v, hd_error *error)
{
    if (!hd_region_map(v->region_fd, error))
        return false;
    v->session = (hd_session *)HD_ENGINE_BASE;
    return true;
}

hd_session *hd_supervisor_session(hd_supervisor *v)
{
    return v->session;
}

/* --- one worker ---------------------------------------------------------------------------- */

typedef struct child {
    pid_t pid;
    int line; /* pipe with its news */
    int errors; /* what it prints to standard error while exploring */
} child;

static void become_worker(const hd_supervisor *v, int line, int errors)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a worker never outlives its supervisor */
    /* Addresses must be the same in every worker: the region holds logs and pointers. */
    personality(ADDR_NO_RANDOMIZE);
    setenv(HD_ENV_ENGINE, v->engine_path, 1);
    set_number(HD_ENV_REGION, v->region_fd);
    set_number(HD_ENV_LINE, hd_descriptor_set_aside(line, true));
    setenv(HD_ENV_BIND, HD_ENV_BOUND, 0);
    if (v->options.symbolic)
        setenv(HD_ENV_SYMBOLIC, v->options.symbolic, 1);
    else
        unsetenv(HD_ENV_SYMBOLIC);
    if (!v->options.show_output) {
        int nothing = hd_descriptor_set_aside(open("/dev/null", O_RDWR), false);
        dup2(nothing, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        close(nothing);
        /* The supervisor tells the worker to stop. */
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
    }
    execvp(v->options.program, v->options.arguments);
    dprintf(STDERR_FILENO, "%s", strerror(errno));
    _exit(127);
}

static bool start(const hd_supervisor *v, child *c, hd_error *error)
{
    int line[2];
    c->errors = memfd_create("errors", MFD_CLOEXEC);
    if (c->errors < 0 || pipe(line) < 0)
        return hd_fail(error, "cannot start a worker: %s", strerror(errno));
    /* Buffered output must not be written twice, by parent and child. */
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

static bool is_late(const hd_supervisor *v)
{
    bool explores = v->session->config.mode == HD_MODE_EXPLORE;
    return v->options.ending && hd_ending_is_due(v->options.ending, explores ? HD_LATE_EXPLORING : HD_LATE_REPLAYING);
}

/* Asks the worker to stop when the end is due, and kills it if it does not. A batch may finish some of its tests. */
static void keep_time(hd_supervisor *v, const child *c)
{
    hd_session *s = v->session;
    bool explores = s->config.mode == HD_MODE_EXPLORE;
    if (!v->options.ending)
        return;
    s->stop |= hd_ending_is_due(v->options.ending, explores ? 0 : HD_LATE_RUNNING);
    v->late = is_late(v);
    if (v->late)
        kill(c->pid, SIGKILL); /* its other processes end with it */
}

/* Waits until the worker and all processes it forked have closed the pipe; returns its wait status. */
static int watch(hd_supervisor *v, child *c)
{
    struct pollfd news = { .fd = c->line, .events = POLLIN };
    char bytes[64];
    while (true) {
        int ready = poll(&news, 1, TICK_MS);
        if (ready > 0 && read(c->line, bytes, sizeof bytes) <= 0)
            break;
        if (v->options.tick)
            v->options.tick(v->options.context, v->session);
        keep_time(v, c);
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

static bool did_not_start(const hd_supervisor *v, const char *text, int status, hd_error *error)
{
    if (WIFSIGNALED(status))
        return hd_fail(error, "%s was killed by signal %d (%s) before main was reached", v->options.program,
            WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == 127)
        return hd_fail(error, "cannot start %s: %s", v->options.program, text);
    if (*text)
        return hd_fail(error, "%s does not start: %s", v->options.program, text);
    return hd_fail(error, "%s ended with status %d before main was reached", v->options.program, WEXITSTATUS(status));
}

/* The worker died while the engine changed its memory: go back to the last checkpoint, or to the start. */
static void go_back(hd_session *s)
{
    if (hd_checkpoint_restore(s)) {
        s->phase = HD_PHASE_ENGINE;
        return;
    }
    s->run = NULL;
    s->events = NULL;
    s->coverage = NULL;
    s->phase = HD_PHASE_NEW;
    s->notice_count = 0;
    memset(&s->counts, 0, sizeof s->counts);
    memset(&s->facts, 0, sizeof s->facts);
    hd_region_init(&s->region, s + 1, (void *)HD_CHECKPOINT_BASE);
}

/* Gives up the session. A supervisor that reports keeps what was found so far; for others it is an error. */
static bool give_up(const hd_supervisor *v, int status, const char *why, hd_error *error)
{
    hd_session *s = v->session;
    if (!v->options.reports) {
        hd_fail(error, "%s", why);
        if (status == HD_EXIT_INTERNAL) {
            fprintf(stderr, "%s\n", why);
            exit(status); /* an internal error must not lead to a verdict */
        }
        return false;
    }
    snprintf(s->failure, sizeof s->failure, "%s", why);
    s->failure_status = status;
    s->end = HD_END_STOPPED;
    return s->ended = true;
}

static bool give_up_after_deaths(const hd_supervisor *v, int status, const char *text, hd_error *error)
{
    char why[400];
    int length = snprintf(why, sizeof why, "workers died %u times", v->session->deaths);
    if (WIFSIGNALED(status))
        snprintf(why + length, sizeof why - (size_t)length, ", the last of signal %d (%s)%s%.200s", WTERMSIG(status),
            strsignal(WTERMSIG(status)), *text ? ": " : "", text);
    else
        snprintf(why + length, sizeof why - (size_t)length, ", the last with status %d%s%.200s", WEXITSTATUS(status),
            *text ? ": " : "", text);
    return give_up(v, HD_EXIT_BOUND, why, error);
}

/* Counts deaths in a row between which no execution was counted. */
static uint32_t count_futile(const hd_session *s, uint32_t futile, uint64_t *tests)
{
    bool same = s->counts.tests + s->counts.hunted == *tests;
    *tests = s->counts.tests + s->counts.hunted;
    return same ? futile + 1 : 0;
}

/* The worker has reached the memory limit in the middle of a step. If the first explorer can be given up, the search
 * goes on from the last checkpoint without it. */
static void make_room(const hd_supervisor *v)
{
    hd_session *s = v->session;
    bool other = *s->config.second && !s->lean;
    if (other || s->config.record_events)
        go_back(s);
    if (other) {
        s->lean = true;
        return;
    }
    hd_session_set_bound(s, "memory");
    s->end = HD_END_STOPPED;
    s->ended = true;
}

/* The worker was killed because the end is due. The counters of a check are right at any time, but recorded events may
 * be incomplete if the engine was active: then those of the last checkpoint are taken. */
static bool end_early(const hd_supervisor *v, hd_error *error)
{
    hd_session *s = v->session;
    if (s->config.mode == HD_MODE_REPLAY)
        return hd_fail(error, "there was no time for a replay");
    if (s->config.record_events && s->config.mode == HD_MODE_EXPLORE && s->phase == HD_PHASE_ENGINE)
        go_back(s);
    if (s->config.mode == HD_MODE_EXPLORE)
        hd_session_set_bound(s, hd_session_due(s));
    s->end = HD_END_STOPPED;
    return s->ended = true;
}

bool hd_supervisor_was_late(const hd_supervisor *v)
{
    return v->late;
}

static bool run(hd_supervisor *v, hd_error *error)
{
    hd_session *s = v->session;
    uint32_t futile = 0;
    uint64_t tests = ~0ull;
    v->late = is_late(v);
    if (!(s->started > 0))
        s->started = hd_now();
    s->until = v->options.ending ? hd_ending_time(v->options.ending) : 0;
    while (!s->ended) {
        child c = { .pid = -1 };
        char text[400];
        if (v->late)
            return end_early(v, error);
        if (!start(v, &c, error))
            return false;
        int status = watch(v, &c);
        read_errors(&c, text, sizeof text);
        close(c.errors);
        if (s->ended)
            break;
        if (v->late)
            return end_early(v, error);
        /* A replay learned something: run it again with what it learned. */
        if (s->again) {
            s->again = false;
            continue;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_FULL) {
            make_room(v);
            continue;
        }
        bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; /* not caused by the program itself */
        if (s->phase == HD_PHASE_NEW && !s->deaths && !killed)
            return did_not_start(v, text, status, error);
        /* A broken invariant is not retried: no verdict may follow from it. */
        if (WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_INTERNAL)
            return give_up(v, HD_EXIT_INTERNAL, text, error);
        if (v->options.once)
            return hd_fail(error, "%s was killed in the middle of the execution", v->options.program);
        if (s->phase == HD_PHASE_ENGINE && s->config.mode == HD_MODE_BATCH)
            return hd_fail(error, "the worker was killed while it examined a test");
        futile = count_futile(s, futile, &tests);
        if (++s->deaths > MOST_DEATHS || futile > MOST_FUTILE)
            return give_up_after_deaths(v, status, text, error);
        /* In the program's phase nothing has to be undone: the next worker records the crash
         * (take_up in worker_main.c). */
        if (s->phase == HD_PHASE_ENGINE && hd_crew_has(s)) {
            hd_crew_break();
            return true;
        }
        if (s->phase == HD_PHASE_ENGINE)
            go_back(s);
    }
    return true;
}

bool hd_supervisor_run(hd_supervisor *v, hd_error *error)
{
    bool ran = run(v, error);
    v->session->region.most = 0; /* the limit is about exploring */
    return ran;
}
