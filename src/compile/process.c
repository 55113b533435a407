#include "compile/process.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A signal that is ignored (nohup) stays ignored. */
static void catch_unless_ignored(sigset_t *caught, int number)
{
    struct sigaction now;
    sigaction(number, NULL, &now);
    if (now.sa_handler != SIG_IGN)
        sigaddset(caught, number);
}

void hd_cc_session_open(hd_cc_session *session, hd_cc_limits *limits)
{
    *session = (hd_cc_session) { .limits = limits };
    hd_arena_init(&session->arena, &hd_heap);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&session->caught);
    sigaddset(&session->caught, SIGCHLD);
    static const int enders[] = { SIGHUP, SIGQUIT, SIGINT, SIGTERM };
    size_t count = sizeof enders / sizeof *enders - (limits ? 2 : 0); /* the ending notices the last two */
    for (size_t i = 0; i < count; i++)
        catch_unless_ignored(&session->caught, enders[i]);
    sigprocmask(SIG_BLOCK, &session->caught, &session->before);
}

/* Compilers that were ended may have left files of their own. */
static void remove_folder(const hd_cc_session *session)
{
    DIR *folder = opendir(session->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(session->folder);
}

/* A pending signal ends the process when the mask is restored, after the files are removed. */
void hd_cc_session_close(hd_cc_session *session)
{
    if (session->folder)
        remove_folder(session);
    hd_arena_fini(&session->arena);
    if (session->signal)
        raise(session->signal);
    hd_cc_session_unblock(session);
}

void hd_cc_session_unblock(hd_cc_session *session)
{
    sigprocmask(SIG_SETMASK, &session->before, NULL);
}

static bool make_folder(hd_cc_session *session, hd_error *error)
{
    const char *parent = getenv("TMPDIR");
    char *folder = hd_arena_print(&session->arena, "%s/heddle-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return hd_fail(error, "%s: no folder for temporary files can be made: %s", folder, strerror(errno));
    session->folder = folder;
    return true;
}

bool hd_cc_session_file(
    hd_cc_session *session, const char *stem, const char *ending, const char **path, hd_error *error)
{
    if (!session->folder && !make_folder(session, error))
        return false;
    *path = hd_arena_print(&session->arena, "%s/%s-%zu%s", session->folder, stem, session->file_count++, ending);
    return true;
}

/* Debian's package that has the tool. */
static const char *package_of(const char *tool)
{
    return !strcmp(tool, "objcopy") || !strcmp(tool, "ld") || !strcmp(tool, "as") ? "binutils" : tool;
}

static const sigset_t *original_mask(const hd_cc_session *session)
{
    return session->limits ? hd_ending_mask(session->limits->ending) : &session->before;
}

/* The child gets the original signal mask. */
static bool start(hd_cc_session *session, const hd_cc_texts *arguments, pid_t *child, hd_error *error)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, original_mask(session));
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | (session->limits ? POSIX_SPAWN_SETPGROUP : 0));
    int failure = posix_spawnp(child, arguments->items[0], NULL, &attributes, (char *const *)arguments->items, environ);
    posix_spawnattr_destroy(&attributes);
    if (failure == ENOENT)
        return hd_fail(error, "%s is not installed; 'apt-get install %s' on Debian", arguments->items[0],
            package_of(arguments->items[0]));
    return !failure || hd_fail(error, "%s cannot be started: %s", arguments->items[0], strerror(failure));
}

/* --- waiting ---------------------------------------------------------------------- */

enum { TICK_MS = 20, GRACE_MS = 300 };

/* Waits for the end of the child, or another of the caught signals; at most a tick if there are limits. SIGCHLD is
 * among them, so the end cannot be missed between waitpid and the wait. */
static void wait_for_signal(hd_cc_session *session, pid_t child)
{
    struct timespec tick = { .tv_nsec = TICK_MS * 1000000 };
    int number = sigtimedwait(&session->caught, NULL, session->limits ? &tick : NULL);
    if (number > 0 && number != SIGCHLD) {
        session->signal = number;
        kill(session->limits ? -child : child, number);
    }
}

/* The resident memory of a process, in bytes. */
static uint64_t memory_of(pid_t process)
{
    char path[64];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *in = fopen(path, "re");
    if (in && fscanf(in, "%*u %lu", &pages) != 1)
        pages = 0;
    if (in)
        fclose(in);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The memory of the child and its children: clang starts the linker. */
static uint64_t memory_of_all(pid_t child)
{
    char path[64];
    int other;
    uint64_t sum = memory_of(child);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)child, (int)child);
    FILE *in = fopen(path, "re");
    while (in && fscanf(in, "%d", &other) == 1)
        sum += memory_of(other);
    if (in)
        fclose(in);
    return sum;
}

/* At least what compilers ordinarily take: --memory is mostly meant for the search. */
static uint64_t most_memory(const hd_cc_limits *limits)
{
    const uint64_t least = 512 << 20;
    uint64_t quarter = (uint64_t)sysconf(_SC_PHYS_PAGES) / 4 * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t most = limits->memory ? limits->memory : quarter;
    return most > least ? most : least;
}

/* False: a limit is met. */
static bool keeps_limits(hd_cc_limits *limits, pid_t child, hd_error *error)
{
    bool due = hd_ending_is_due(limits->ending, 0);
    limits->met = due || memory_of_all(child) > most_memory(limits);
    if (due)
        return hd_fail(error, "%s while the program was being built; nothing was checked",
            hd_ending_was_signalled(limits->ending) ? "interrupted" : "the time limit was reached");
    return !limits->met
        || hd_fail(error, "a compiler took more than %u MB of memory (--memory=MB allows more); nothing was checked",
            (unsigned)(most_memory(limits) >> 20));
}

/* Ends the child and its children. A compiler that is asked to end removes its temporary files. */
static void end_group(hd_cc_session *session, pid_t child)
{
    double latest = hd_now() + GRACE_MS / 1000.0;
    kill(-child, SIGTERM);
    while (waitpid(child, NULL, WNOHANG) == 0) {
        if (hd_now() >= latest)
            kill(-child, SIGKILL);
        wait_for_signal(session, child);
    }
    kill(-child, SIGKILL);
}

bool hd_cc_session_run(hd_cc_session *session, const hd_cc_texts *arguments, int *status, hd_error *error)
{
    pid_t child;
    int code;
    if (!start(session, arguments, &child, error))
        return false;
    while (waitpid(child, &code, WNOHANG) == 0) {
        if (session->limits && !keeps_limits(session->limits, child, error)) {
            end_group(session, child);
            return false;
        }
        wait_for_signal(session, child);
    }
    *status = WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code);
    return true;
}
