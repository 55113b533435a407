#include "pairs/run.h"

#include "pairs/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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
    pid_t process;
    size_t row;
} job;

static pid_t start(const char *command)
{
    pid_t process = fork();
    if (process != 0)
        return process;
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

/* Waits for one of the jobs and frees its slot; -1 if waiting fails. */
static int finish_one(job *jobs, int count, hd_pairs_outcome *outcomes)
{
    int raw;
    pid_t process;
    do
        process = waitpid(-1, &raw, 0);
    while (process < 0 && errno == EINTR);
    for (int i = 0; i < count; i++)
        if (process > 0 && jobs[i].process == process) {
            outcomes[jobs[i].row].status = status_of(raw);
            jobs[i].process = 0;
            return i;
        }
    return -1;
}

static int free_slot(const job *jobs, int count)
{
    for (int i = 0; i < count; i++)
        if (jobs[i].process == 0)
            return i;
    return -1;
}

static void show_progress(FILE *progress, size_t done, size_t total, size_t failed)
{
    if (progress) {
        fprintf(progress, "\r%zu of %zu rows run, %zu failed%s", done, total, failed, done == total ? "\n" : "");
        fflush(progress);
    }
}

static bool start_row(
    const hd_pairs_model *m, const char *command, const hd_pairs_rows *rows, size_t row, job *slot, hd_error *error)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    *slot = (job) { start(hd_pairs_command(m, command, hd_pairs_row(rows, row), (int)row, &arena)), row };
    hd_arena_fini(&arena);
    return slot->process > 0 || hd_fail(error, "--run: a process could not be started: %s", strerror(errno));
}

bool hd_pairs_run(const hd_pairs_model *m, const char *command, const hd_pairs_rows *rows, int jobs, FILE *progress,
    hd_pairs_outcome *outcomes, hd_error *error)
{
    job *running = hd_alloc(&hd_heap, (size_t)jobs * sizeof *running);
    size_t next = 0, done = 0, failed = 0;
    bool fine = true;
    /* Buffered output must not be written once more by each child. */
    fflush(NULL);
    while (fine && done < rows->count) {
        /* Keep all jobs busy, then wait for one of them. */
        int slot = next < rows->count ? free_slot(running, jobs) : -1;
        if (slot >= 0) {
            fine = start_row(m, command, rows, next++, &running[slot], error);
            continue;
        }
        size_t row = 0;
        slot = finish_one(running, jobs, outcomes);
        if (slot < 0)
            fine = hd_fail(error, "--run: waiting for a command failed: %s", strerror(errno));
        else
            row = running[slot].row;
        done++;
        failed += fine && outcomes[row].status != 0;
        show_progress(progress, done, rows->count, failed);
    }
    hd_release(&hd_heap, running, (size_t)jobs * sizeof *running);
    return fine;
}
