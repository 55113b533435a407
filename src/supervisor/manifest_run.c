#include "supervisor/manifest_run.h"

#include "base/clock.h"
#include "base/sentence.h"
#include "check/finding.h"
#include "base/ending.h"
#include "supervisor/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct job {
    pid_t pid; /* 0: not running */
    int output;
    size_t check;
    double started;
} job;

typedef struct round {
    const hd_manifest *manifest;
    hd_report_case *cases;
    const char *folder, *command;
    hd_progress *progress;
    hd_ending *ending;
    bool interrupted; /* the checks have been asked to end */
    job *jobs;
    uint32_t job_count;
    size_t wanted, done, wrong;
    hd_arena *arena;
    FILE *out;
    hd_error *error;
} round;

/* --- what a check found ------------------------------------------------------------------------ */

/* Does the line report a finding of this kind? Its words have spaces there. */
static bool is_summary_of(const char *line, const char *kind)
{
    static const char start[] = "SUMMARY: heddle: ";
    if (strncmp(line, start, sizeof start - 1))
        return false;
    line += sizeof start - 1;
    for (; *kind && *line == (*kind == '-' ? ' ' : *kind); kind++)
        line++;
    return !*kind && (*line == ' ' || *line == '\n' || !*line);
}

static bool has_kind(const char *output, const char *kind)
{
    for (const char *line = output; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (is_summary_of(line, kind))
            return true;
    return false;
}

void hd_manifest_kinds(const char *output, char *text, size_t size)
{
    hd_sentence s = { text, size, 0 };
    *text = '\0';
    for (int i = 0; i < HD_FINDING_KINDS; i++) {
        const char *kind = hd_finding_word((hd_finding_kind)i);
        if (has_kind(output, kind))
            hd_sentence_add(&s, "%s%s", *text ? ", " : "", kind);
    }
}

/* The expected kinds in the same form. */
static void expected_kinds(const hd_manifest_check *c, char *text, size_t size)
{
    hd_sentence s = { text, size, 0 };
    *text = '\0';
    for (int i = 0; i < HD_FINDING_KINDS; i++)
        for (size_t k = 0; k < c->expected.count; k++)
            if (!strcmp(c->expected.items[k], hd_finding_word((hd_finding_kind)i))) {
                hd_sentence_add(&s, "%s%s", *text ? ", " : "", c->expected.items[k]);
                break;
            }
}

static const char *status_word(int status)
{
    return status == HD_EXIT_CLEAN ? "clean"
        : status == HD_EXIT_FOUND  ? "found"
        : status == HD_EXIT_BOUND  ? "bound"
                                   : "";
}

static void mark_interrupted(hd_report_case *c)
{
    c->result = HD_REPORT_LIMITED;
    c->kind = "not-run";
    c->message = "interrupted";
}

static void judge(round *r, size_t check, int status, const char *output)
{
    const hd_manifest_check *c = &r->manifest->checks.items[check];
    hd_report_case *result = &r->cases[check];
    char found[400], kinds[400];
    const char *expected = c->expected.count ? c->expected.items[0] : "clean";
    hd_manifest_kinds(output, found, sizeof found);
    expected_kinds(c, kinds, sizeof kinds);
    const char *ended = status_word(status);
    bool fits = *kinds ? status == HD_EXIT_FOUND && !strcmp(found, kinds) : !strcmp(ended, expected);
    if (r->interrupted && !fits && status != HD_EXIT_FOUND) {
        mark_interrupted(result);
        return;
    }
    result->result = fits ? HD_REPORT_PASSED : *ended ? HD_REPORT_FAILED : HD_REPORT_ERROR;
    result->kind = *ended ? "unexpected" : "not-run";
    result->message = *ended ? hd_arena_print(r->arena, "expected %s, but it was %s%s%s%s", *kinds ? kinds : expected,
                          ended, *found ? " (" : "", found, *found ? ")" : "")
                             : hd_arena_print(r->arena, "it ended with status %d", status);
}

/* --- running ------------------------------------------------------------------------------------- */

static char **command_of(const round *r, const hd_manifest_check *c)
{
    size_t count = 0;
    char **words =
        hd_arena_alloc(r->arena, (4 + c->options.count + c->program.count + c->arguments.count) * sizeof *words);
    words[count++] = (char *)r->command;
    words[count++] = "check";
    for (size_t i = 0; i < c->options.count; i++)
        words[count++] = (char *)c->options.items[i];
    for (size_t i = 0; i < c->program.count; i++)
        words[count++] = (char *)c->program.items[i];
    if (c->arguments.count)
        words[count++] = "--";
    for (size_t i = 0; i < c->arguments.count; i++)
        words[count++] = (char *)c->arguments.items[i];
    words[count] = NULL;
    return words;
}

static bool start(round *r, job *j, size_t check)
{
    const hd_manifest_check *c = &r->manifest->checks.items[check];
    char **words = command_of(r, c);
    *j = (job) { .output = memfd_create("output", MFD_CLOEXEC), .check = check, .started = hd_now() };
    fflush(NULL); /* buffered output must not be written twice */
    j->pid = j->output < 0 ? -1 : fork();
    if (j->pid == 0) {
        /* Ctrl-C on a terminal reaches the whole group: the check would take what follows for a second one. */
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        hd_ending_leave(r->ending);
        dup2(j->output, STDOUT_FILENO);
        dup2(j->output, STDERR_FILENO);
        if (chdir(r->folder)) {
            dprintf(STDERR_FILENO, "heddle: %s: %s\n", r->folder, strerror(errno));
            _exit(HD_EXIT_USAGE);
        }
        execv(r->command, words);
        _exit(HD_EXIT_USAGE);
    }
    return j->pid > 0 || hd_fail(r->error, "a check cannot be started: %s", strerror(errno));
}

static const char *read_output(const round *r, int descriptor)
{
    struct stat about;
    size_t size = fstat(descriptor, &about) ? 0 : (size_t)about.st_size;
    char *text = hd_arena_alloc(r->arena, size + 1);
    ssize_t got = pread(descriptor, text, size, 0);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

static void show_progress(round *r)
{
    char text[200];
    snprintf(text, sizeof text, "%zu of %zu checks, %zu not as expected", r->done, r->wanted, r->wrong);
    hd_progress_show(r->progress, text);
}

static void finish(round *r, job *j, int status)
{
    hd_report_case *c = &r->cases[j->check];
    const char *output = read_output(r, j->output);
    close(j->output);
    c->seconds = hd_now() - j->started;
    judge(r, j->check, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output);
    j->pid = 0;
    r->done++;
    r->wrong += c->result != HD_REPORT_PASSED;
    hd_progress_clear(r->progress);
    fprintf(r->out, "%s %s (%.2f s)%s%s\n", c->result == HD_REPORT_PASSED ? "ok  " : "FAIL", c->name, c->seconds,
        c->result == HD_REPORT_PASSED ? "" : ": ", c->result == HD_REPORT_PASSED ? "" : c->message);
    if (c->result != HD_REPORT_PASSED)
        fputs(output, r->out);
    fflush(r->out);
    show_progress(r);
}

/* A signal ends the checks under way, which report what they know, and no other one is started. */
static void listen(round *r)
{
    if (r->interrupted || !hd_ending_is_due(r->ending, 0))
        return;
    r->interrupted = true;
    for (uint32_t i = 0; i < r->job_count; i++)
        if (r->jobs[i].pid)
            kill(r->jobs[i].pid, SIGTERM);
}

static bool wait_for_one(round *r)
{
    enum { MICROSECONDS = 5000 };
    int status;
    pid_t pid;
    while (listen(r), (pid = waitpid(-1, &status, WNOHANG)) == 0)
        usleep(MICROSECONDS);
    if (pid < 0)
        return hd_fail(r->error, "a check was lost: %s", strerror(errno));
    for (uint32_t i = 0; i < r->job_count; i++)
        if (r->jobs[i].pid == pid)
            finish(r, &r->jobs[i], status);
    return true;
}

static job *find_room(const round *r)
{
    for (uint32_t i = 0; i < r->job_count; i++)
        if (!r->jobs[i].pid)
            return &r->jobs[i];
    return NULL;
}

static bool is_busy(const round *r)
{
    for (uint32_t i = 0; i < r->job_count; i++)
        if (r->jobs[i].pid)
            return true;
    return false;
}

/* Runs one check as soon as there is room for it. */
static bool run_check(round *r, size_t check)
{
    job *room;
    while (!(room = find_room(r)))
        if (!wait_for_one(r))
            return false;
    listen(r);
    if (!r->interrupted)
        return start(r, room, check);
    mark_interrupted(&r->cases[check]);
    return true;
}

static const char *folder_of(const char *path, hd_arena *arena)
{
    const char *slash = strrchr(path, '/');
    return slash ? hd_arena_print(arena, "%.*s", (int)(slash - path + 1), path) : ".";
}

bool hd_manifest_run(const hd_manifest *m, const bool *wanted, uint32_t jobs, hd_report_case *cases, hd_arena *arena,
    FILE *out, hd_error *error)
{
    char command[4096];
    ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    if (length < 0)
        return hd_fail(error, "/proc/self/exe: %s", strerror(errno));
    command[length] = '\0';
    round r = { .manifest = m,
        .cases = cases,
        .folder = folder_of(m->path, arena),
        .command = command,
        .progress = hd_progress_open(),
        .ending = hd_ending_open(),
        .jobs = hd_arena_alloc(arena, jobs * sizeof(job)),
        .job_count = jobs,
        .arena = arena,
        .out = out,
        .error = error };
    bool fine = true;
    for (size_t i = 0; i < m->checks.count; i++) {
        cases[i] = (hd_report_case) { .name = wanted[i] ? m->checks.items[i].name : NULL };
        r.wanted += wanted[i];
    }
    show_progress(&r);
    for (size_t i = 0; i < m->checks.count && fine; i++)
        fine = !wanted[i] || run_check(&r, i);
    while (is_busy(&r) && wait_for_one(&r)) { }
    hd_progress_close(r.progress);
    hd_ending_close(r.ending);
    return fine;
}
