#include "supervisor/keeper.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/library.h"
#include "base/map.h"
#include "base/sentence.h"
#include "base/vec.h"
#include "worker/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Files are at least `pause` seconds apart, and so far that writing takes about 1/share of the time. */
static const double pause_between = 1, share = 30;

/* Of all files in a folder that forgets. */
#define MOST_BYTES (1ull << 30)

struct hd_keeper {
    hd_arena arena;
    const char *folder, *path, *others; /* others: how the names of files begin that differ in options only */
    uint32_t most;
    hd_search_head head;
    bool readable; /* program and engine could be read: otherwise nothing is kept */
    pid_t writer; /* 0: none is running */
    double started, cost; /* when the last writer was started, and its processor time */
    uint64_t written; /* the number of the checkpoint that it writes */
    int problem; /* errno of the last writer */
};

/* --- what a search belongs to ---------------------------------------------------------------- */

static void add_settings(hd_sentence *s, const hd_settings *t)
{
    hd_sentence_add(s, " depth=%u processors=%u timeouts=%u", t->depth, t->processors, t->timeouts);
#define SETTING(field, word) hd_sentence_add(s, " " word "=%u", t->field);
#include "abi/settings.def"
#undef SETTING
}

/* All that the search depends on, beside the program; it is compared as text, so a difference can be named. */
static void describe(const hd_session_config *c, char *text, size_t size)
{
    hd_sentence s = { text, size, 0 };
    hd_sentence_add(&s, "explore=%s second=%s seed=%" PRIu64, c->explorer, c->second, c->seed);
    add_settings(&s, &c->settings);
    hd_sentence_add(
        &s, " pct-depth=%u solver-time=%u bounded=%d most=%u", c->pct_depth, c->solver_time, c->bounded, c->most);
    hd_sentence_add(&s, " compose=%d visible-release=%d dependency=%d reach=%d persistent=%d hunts=%d", c->compose,
        c->exits, c->dependency, c->reach, c->persistent, c->hunts);
    hd_sentence_add(&s, " suppress=%d states=%d stop-first=%d races-last=%d coverage=%d", c->judged, c->states,
        c->stop_at_first, c->races_last, c->count_lines);
}

static uint64_t hash_of_text(const char *text, uint64_t seed)
{
    return text ? hd_hash_bytes(text, strlen(text), seed) : hd_hash(seed);
}

/* The program as it was given, in this folder, with its arguments and environment. */
static uint64_t hash_of_call(const hd_program *p)
{
    char here[HD_PATH_ROOM] = "";
    uint64_t hash = hash_of_text(getcwd(here, sizeof here), 1);
    hash = hash_of_text(p->given, hash);
    for (char **argument = p->arguments + 1; *argument; argument++)
        hash = hash_of_text(*argument, hash);
    struct stat input;
    uint64_t contents;
    if (!fstat(STDIN_FILENO, &input) && S_ISREG(input.st_mode) && hd_file_hash("/proc/self/fd/0", &contents))
        hash = hd_hash(hash ^ contents ^ (uint64_t)lseek(STDIN_FILENO, 0, SEEK_CUR));
    hash = hash_of_text(p->symbolic, hash);
    return hash_of_text(getenv(HD_ENV_TRUST), hash);
}

static bool hash_engine(uint64_t *hash, hd_arena *arena)
{
    const char *folder;
    hd_error ignored;
    return hd_library_find(arena, &folder, &ignored)
        && hd_file_hash(hd_arena_print(arena, "%s/engine.so", folder), hash);
}

hd_keeper *hd_keeper_open(const char *folder, uint32_t most, const hd_program *program, const hd_session_config *config)
{
    hd_keeper *k = hd_alloc(&hd_heap, sizeof *k);
    *k = (hd_keeper) { .most = most };
    hd_arena_init(&k->arena, &hd_heap);
    describe(config, k->head.options, sizeof k->head.options);
    snprintf(k->head.given, sizeof k->head.given, "%s", program->given);
    snprintf(k->head.explorer, sizeof k->head.explorer, "%s", config->explorer);
    k->folder = hd_arena_copy(&k->arena, folder);
    k->others = hd_arena_print(&k->arena, "%s-%08x-", program->name, (unsigned)hash_of_call(program));
    k->path =
        hd_arena_print(&k->arena, "%s/%s%08x.search", folder, k->others, (unsigned)hash_of_text(k->head.options, 1));
    k->readable = hd_file_hash(program->path, &k->head.program) && hash_engine(&k->head.heddle, &k->arena);
    return k;
}

/* --- the folder ------------------------------------------------------------------------------ */

typedef struct kept_file {
    char *path;
    hd_search_head head;
} kept_file;

typedef hd_vec(kept_file) kept_files;

static int by_time(const void *a, const void *b)
{
    double x = ((const kept_file *)a)->head.time, y = ((const kept_file *)b)->head.time;
    return (x < y) - (x > y);
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && !strcmp(name + length - tail, end);
}

/* All searches in the folder whose heads can be read, the latest first. */
static kept_files find_files(const char *folder, hd_arena *arena)
{
    kept_files files = { 0 };
    hd_error ignored;
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        kept_file f = { .path = hd_arena_print(arena, "%s/%s", folder, entry->d_name) };
        if (ends_with(entry->d_name, ".search") && hd_search_file_read(f.path, &f.head, false, &ignored))
            hd_vec_push(&files, f);
    }
    if (d)
        closedir(d);
    if (files.count)
        qsort(files.items, files.count, sizeof *files.items, by_time);
    return files;
}

const char *hd_keeper_folder(const char *store, hd_arena *arena)
{
    return hd_arena_print(arena, "%s-searches", store);
}

void hd_keeper_list(const char *folder, FILE *out, hd_arena *arena)
{
    kept_files files = find_files(folder, arena);
    if (files.count)
        fprintf(out, "\nsearches for 'heddle check --resume':\n%-19s  %10s  %8s  %-10s  %s\n", "time", "executions",
            "findings", "explorer", "program");
    for (size_t i = 0; i < files.count; i++) {
        const hd_search_head *h = &files.items[i].head;
        char when[32];
        struct tm local;
        time_t seconds = (time_t)h->time;
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&seconds, &local));
        fprintf(out, "%-19s  %10" PRIu64 "  %8" PRIu64 "  %-10s  %s\n", when, h->tests + h->hunted, h->findings,
            h->explorer, h->given);
    }
    hd_vec_fini(&files);
}

/* Removes all but the latest `kept`, and further ones if all together take more than `bytes`; never the latest because
 * of its size. */
static uint32_t remove_older(const char *folder, uint32_t kept, uint64_t bytes, hd_arena *arena)
{
    kept_files files = find_files(folder, arena);
    uint32_t removed = 0;
    uint64_t size = 0;
    struct stat about;
    for (size_t i = 0; i < files.count; i++) {
        size += stat(files.items[i].path, &about) ? 0 : (uint64_t)about.st_size;
        if (i >= kept || (i && size > bytes))
            removed += !unlink(files.items[i].path);
    }
    hd_vec_fini(&files);
    return removed;
}

uint32_t hd_keeper_prune(const char *folder, uint32_t kept, hd_arena *arena)
{
    uint32_t removed = remove_older(folder, kept, UINT64_MAX, arena);
    if (!kept)
        rmdir(folder);
    return removed;
}

/* Removes what writers have left that were killed: NAME.search.new-PROCESS. */
static void tidy(const hd_keeper *k, hd_arena *arena)
{
    DIR *d = opendir(k->folder);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        const char *number = strstr(entry->d_name, ".search.new-");
        pid_t owner = number ? (pid_t)atoi(number + strlen(".search.new-")) : 0;
        if (owner > 0 && kill(owner, 0) && errno == ESRCH)
            unlink(hd_arena_print(arena, "%s/%s", k->folder, entry->d_name));
    }
    if (d)
        closedir(d);
    if (k->most)
        remove_older(k->folder, k->most, MOST_BYTES, arena);
}

/* --- writing ----------------------------------------------------------------------------------- */

/* Is there a file of the same search that is further? */
static bool is_behind(const hd_keeper *k, uint64_t executions)
{
    hd_search_head there;
    hd_error ignored;
    return hd_search_file_read(k->path, &there, false, &ignored) && there.heddle == k->head.heddle
        && there.program == k->head.program && !strcmp(there.options, k->head.options) && there.executions > executions;
}

/* Has the program read from a pipe? What it has read is not there for a later command. */
static bool has_read_pipe(void)
{
    struct stat input;
    const char *saved = getenv(HD_ENV_INPUT);
    return saved && !fstat(atoi(saved), &input) && input.st_size > 0;
}

/* In the process that writes; its status is 0 or errno. */
static int write_file(hd_keeper *k)
{
    enum { NICER = 5 };
    hd_checkpoint c;
    hd_error why;
    bool overtaken;
    if (!hd_checkpoint_latest(&c) || !hd_checkpoint_session(&c)->image.count)
        return 0;
    if (has_read_pipe())
        return ESPIPE;
    const hd_run_counts *n = &hd_checkpoint_session(&c)->counts;
    if (is_behind(k, n->tests + n->hunted + n->blocked + n->assumed))
        return 0;
    setpriority(PRIO_PROCESS, 0, NICER);
    if (!strncmp(k->folder, HD_OUTPUT_FOLDER "/", strlen(HD_OUTPUT_FOLDER "/")))
        hd_output_folder(&why);
    if (mkdir(k->folder, 0777) < 0 && errno != EEXIST)
        return errno;
    const char *unfinished = hd_arena_print(&k->arena, "%s.new-%d", k->path, (int)getpid());
    errno = 0;
    bool written = hd_search_file_write(k->path, unfinished, &k->head, &overtaken, &why);
    int problem = errno ? errno : EIO;
    tidy(k, &k->arena);
    return written || overtaken ? 0 : problem;
}

static void start_writer(hd_keeper *k, double seconds)
{
    hd_checkpoint c;
    if (!k->readable || k->writer || !hd_checkpoint_latest(&c) || c.number == k->written)
        return;
    k->head.seconds = seconds;
    k->started = hd_now();
    k->written = c.number;
    k->writer = fork();
    if (k->writer == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(write_file(k));
    }
    k->problem = k->writer < 0 ? errno : k->problem;
    k->writer = k->writer < 0 ? 0 : k->writer;
}

/* Has the writer finished? `options` as for waitpid. */
static void look_at_writer(hd_keeper *k, int options)
{
    struct rusage used;
    int status = 0;
    pid_t ended = 0;
    while (k->writer && (ended = wait4(k->writer, &status, options, &used)) < 0 && errno == EINTR) { }
    if (!k->writer || ended != k->writer)
        return;
    k->writer = 0;
    k->cost = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec)
        + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    /* One that was killed has left the file as it was; the next one tries again. */
    k->problem = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

void hd_keeper_tick(hd_keeper *k, double seconds)
{
    look_at_writer(k, WNOHANG);
    double least = share * k->cost > pause_between ? share * k->cost : pause_between;
    if (hd_now() - k->started >= least && seconds >= pause_between)
        start_writer(k, seconds);
}

static bool can_go_on(const hd_session *s)
{
    static const char *const bounds[] = { "time", "interrupted", "max-tests", "memory", "failure" };
    const char *bound = hd_session_bound(s);
    for (size_t i = 0; bound && i < sizeof bounds / sizeof *bounds; i++)
        if (!strcmp(bound, bounds[i]))
            return true;
    return false;
}

void hd_keeper_end(hd_keeper *k, const hd_session *s, double seconds)
{
    look_at_writer(k, 0);
    if (can_go_on(s))
        start_writer(k, seconds);
    else
        unlink(k->path);
}

bool hd_keeper_close(hd_keeper *k, hd_error *error)
{
    look_at_writer(k, 0);
    const char *why = k->problem == ESPIPE ? "the program reads standard input from a pipe" : strerror(k->problem);
    bool kept = !k->problem || hd_fail(error, "%s: the search is not kept for --resume: %s", k->path, why);
    hd_arena_fini(&k->arena);
    hd_release(&hd_heap, k, sizeof *k);
    return kept;
}

/* --- going on ------------------------------------------------------------------------------------ */

/* The first word of the options that differs. */
static void name_difference(const char *then, const char *now, char *text, size_t size)
{
    size_t from = 0, at = 0;
    for (; then[at] && then[at] == now[at]; at++)
        if (then[at] == ' ')
            from = at + 1;
    snprintf(text, size, "%.*s, not %.*s", (int)strcspn(then + from, " "), then + from, (int)strcspn(now + from, " "),
        now + from);
}

/* There is no file of this name: was a search with other options stopped? */
static bool explain_absence(const hd_keeper *k, hd_arena *arena, hd_error *why)
{
    char difference[160];
    kept_files files = find_files(k->folder, arena);
    const kept_file *other = NULL;
    for (size_t i = 0; i < files.count && !other; i++)
        if (!strncmp(strrchr(files.items[i].path, '/') + 1, k->others, strlen(k->others)))
            other = &files.items[i];
    if (other)
        name_difference(other->head.options, k->head.options, difference, sizeof difference);
    hd_vec_fini(&files);
    return other ? hd_fail(why, "the search that was stopped had other options (%s)", difference)
                 : hd_fail(why, "no search of this program was stopped here");
}

/* What belongs to a process or to a clock, and what a command says, begins anew. */
static void begin_again(hd_session *s, const hd_search_head *head)
{
    s->phase = HD_PHASE_ENGINE;
    s->stop = 0;
    s->started = s->until = 0;
    s->deaths = s->tries = 0;
    s->again = s->ended = false;
    s->end = HD_END_STOPPED;
    s->failure_status = 0;
    *s->bound = *s->failure = *s->wanted = *s->changed = '\0';
    s->drawing = NULL;
    s->drawing_size = 0;
    s->keep->minimising = 0;
    for (uint32_t i = 0; i < s->keep->found_count; i++) {
        s->keep->found[i].suppressed = false;
        s->keep->found[i].tried &= !s->keep->found[i].cut;
    }
    s->continued = true;
    s->past = (hd_session_past) { head->seconds, head->tests + head->hunted };
}

static bool fits(const hd_keeper *k, const hd_search_head *head, hd_error *why)
{
    if (head->heddle != k->head.heddle)
        return hd_fail(why, "another build of heddle has begun the search");
    return head->program == k->head.program || hd_fail(why, "the program has changed since the search was stopped");
}

bool hd_keeper_resume(hd_keeper *k, hd_session *s, hd_error *why)
{
    hd_search_head head;
    if (!k->readable)
        return hd_fail(why, "the program or heddle's engine cannot be read");
    if (access(k->path, F_OK))
        return explain_absence(k, &k->arena, why);
    if (!hd_search_file_read(k->path, &head, false, why) || !fits(k, &head, why)
        || !hd_search_file_load(k->path, s, &head, why))
        return false;
    begin_again(s, &head);
    return true;
}
