#include "pairs/run.h"

#include "pairs/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef hd_vec(char) text;

static void append(text *t, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hd_vec_push(t, from[i]);
}

/* Quotes for a POSIX shell: inside single quotes only the single quote itself needs care. */
static void append_quoted(text *t, const char *value)
{
    hd_vec_push(t, '\'');
    for (; *value; value++)
        if (*value == '\'')
            append(t, "'\\''", 4);
        else
            hd_vec_push(t, *value);
    hd_vec_push(t, '\'');
}

/* The next {name} in `at`; NULL if there is none. Braces that a shell would interpret (${x}, {a,b},
 * { list; }) are left alone. */
static const char *placeholder(const char *at, size_t *length)
{
    for (; (at = strchr(at, '{')); at++) {
        *length = strcspn(at + 1, "{}");
        bool shell = (*length > 0 && memchr(at + 1, ',', *length)) || strspn(at + 1, " \t;") > 0;
        if (at[1 + *length] == '}' && *length > 0 && !shell)
            return at;
    }
    return NULL;
}

bool hd_pairs_command_check(const hd_pairs_model *m, const char *command, hd_error *error)
{
    size_t length;
    for (const char *at = command; (at = placeholder(at, &length)); at += length + 1)
        if ((at == command || at[-1] != '$') && hd_pairs_find_parameter(m, at + 1, length) < 0)
            return hd_fail(error, "--run: {%.*s} is not a parameter of the model", (int)length, at + 1);
    return true;
}

const char *hd_pairs_command(
    const hd_pairs_model *m, const char *command, const hd_pairs_cell *row, int turn, hd_arena *arena)
{
    text t = { 0 };
    size_t length;
    const char *from = command;
    for (const char *at; (at = placeholder(from, &length)); from = at + length + 2) {
        int p = hd_pairs_find_parameter(m, at + 1, length);
        /* ${Name} is the shell's, and braces around anything else stay. */
        bool replace = p >= 0 && (at == command || at[-1] != '$');
        append(&t, from, (size_t)(at - from) + (replace ? 0 : length + 2));
        if (replace) {
            const hd_pairs_value *value = &m->parameters.items[p].values[row[p]];
            append_quoted(&t, value->names[turn % value->name_count]);
        }
    }
    append(&t, from, strlen(from));
    const char *whole = hd_arena_print(arena, "%.*s", (int)t.count, t.items);
    hd_vec_fini(&t);
    return whole;
}

/* --- processes -------------------------------------------------------------- */

typedef struct job {
    pid_t process; /* 0: none */
    size_t row;
} job;

/* Rows under way. */
typedef struct round {
    const hd_pairs_model *model;
    const char *command;
    const hd_pairs_rows *rows;
    hd_pairs_outcome *outcomes;
    const volatile sig_atomic_t *interrupted;
    job *jobs;
    int job_count;
    sigset_t child, before; /* SIGCHLD, which is blocked and waited for; the signals blocked before */
} round;

static pid_t start(const round *r, const char *command)
{
    pid_t process = fork();
    if (process != 0)
        return process;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &r->before, NULL);
    int null = open("/dev/null", O_RDWR);
    /* The command's output would mix with the report; its exit status is what counts. */
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* As shells report signals. */
static int status_of(int raw)
{
    return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

/* Waits up to a tenth of a second for a job to end, and frees its slot. Returns the job; NULL: none has ended yet. */
static job *finish_one(round *r)
{
    const struct timespec tenth = { 0, 100000000 };
    int raw;
    pid_t process = waitpid(-1, &raw, WNOHANG);
    if (process == 0) {
        sigtimedwait(&r->child, NULL, &tenth);
        process = waitpid(-1, &raw, WNOHANG);
    }
    for (int i = 0; i < r->job_count; i++)
        if (process > 0 && r->jobs[i].process == process) {
            r->outcomes[r->jobs[i].row] = (hd_pairs_outcome) { status_of(raw), true };
            r->jobs[i].process = 0;
            return &r->jobs[i];
        }
    return NULL;
}

static job *free_slot(const round *r)
{
    for (int i = 0; i < r->job_count; i++)
        if (r->jobs[i].process == 0)
            return &r->jobs[i];
    return NULL;
}

/* Ends what still runs: it is asked to, and killed half a second later. Rows that end in this way have not run. */
static void end_all(round *r)
{
    for (int tries = 0, left = 1; left; tries++) {
        left = 0;
        for (int i = 0; i < r->job_count; i++) {
            job *j = &r->jobs[i];
            if (!j->process)
                continue;
            kill(-j->process, tries < 5 ? SIGTERM : SIGKILL);
            left += waitpid(j->process, NULL, WNOHANG) == 0 ? 1 : (j->process = 0);
        }
        if (left)
            sigtimedwait(&r->child, NULL, &(struct timespec) { 0, 100000000 });
    }
}

static void show_progress(FILE *progress, size_t done, size_t total, size_t failed)
{
    if (progress) {
        fprintf(progress, "\r%zu of %zu rows run, %zu failed%s", done, total, failed, done == total ? "\n" : "");
        fflush(progress);
    }
}

static bool start_row(const round *r, size_t row, job *slot, hd_error *error)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    pid_t process = start(r, hd_pairs_command(r->model, r->command, hd_pairs_row(r->rows, row), (int)row, &arena));
    hd_arena_fini(&arena);
    if (process < 0)
        return hd_fail(error, "--run: a process could not be started: %s", strerror(errno));
    setpgid(process, process); /* the child does so, too: whoever is first */
    *slot = (job) { process, row };
    return true;
}

/* Keeps all jobs busy until every row has been run. */
static bool run_rows(round *r, FILE *progress, hd_error *error)
{
    size_t next = 0, done = 0, failed = 0;
    while (done < r->rows->count && !hd_pairs_is_set(r->interrupted)) {
        job *slot = next < r->rows->count ? free_slot(r) : NULL;
        if (slot && !start_row(r, next++, slot, error))
            return false;
        if (slot || !(slot = finish_one(r)))
            continue;
        done++;
        failed += hd_pairs_failed(&r->outcomes[slot->row]);
        show_progress(progress, done, r->rows->count, failed);
    }
    return true;
}

bool hd_pairs_run(const hd_pairs_model *m, const char *command, const hd_pairs_rows *rows, int jobs, FILE *progress,
    const volatile sig_atomic_t *interrupted, hd_pairs_outcome *outcomes, hd_error *error)
{
    round r = { .model = m, .command = command, .rows = rows, .outcomes = outcomes, .interrupted = interrupted };
    r.jobs = hd_alloc(&hd_heap, (size_t)jobs * sizeof *r.jobs);
    r.job_count = jobs;
    sigemptyset(&r.child);
    sigaddset(&r.child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &r.child, &r.before);
    /* Buffered output must not be written once more by each child. */
    fflush(NULL);
    bool fine = run_rows(&r, progress, error);
    end_all(&r);
    sigprocmask(SIG_SETMASK, &r.before, NULL);
    hd_release(&hd_heap, r.jobs, (size_t)jobs * sizeof *r.jobs);
    return fine;
}
