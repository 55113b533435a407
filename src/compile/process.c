#include "compile/process.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

void hd_cc_session_open(hd_cc_session *session)
{
    *session = (hd_cc_session) { 0 };
    hd_arena_init(&session->arena, &hd_heap);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&session->caught);
    sigaddset(&session->caught, SIGCHLD);
    static const int enders[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    for (size_t i = 0; i < sizeof enders / sizeof *enders; i++)
        catch_unless_ignored(&session->caught, enders[i]);
    sigprocmask(SIG_BLOCK, &session->caught, &session->before);
}

/* A pending signal ends the process when the mask is restored, after the files are removed. */
void hd_cc_session_close(hd_cc_session *session)
{
    for (size_t i = 0; i < session->files.count; i++)
        unlink(session->files.items[i]);
    hd_vec_fini(&session->files);
    if (session->folder)
        rmdir(session->folder);
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
    *path = hd_arena_print(&session->arena, "%s/%s-%zu%s", session->folder, stem, session->files.count, ending);
    hd_vec_push(&session->files, *path);
    return true;
}

/* Debian's package that has the tool. */
static const char *package_of(const char *tool)
{
    return !strcmp(tool, "objcopy") || !strcmp(tool, "ld") ? "binutils" : tool;
}

/* The child gets the original signal mask. */
static bool start(hd_cc_session *session, const hd_cc_texts *arguments, pid_t *child, hd_error *error)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &session->before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failure = posix_spawnp(child, arguments->items[0], NULL, &attributes, (char *const *)arguments->items, environ);
    posix_spawnattr_destroy(&attributes);
    if (failure == ENOENT)
        return hd_fail(error, "%s is not installed; 'apt-get install %s' on Debian", arguments->items[0],
            package_of(arguments->items[0]));
    return !failure || hd_fail(error, "%s cannot be started: %s", arguments->items[0], strerror(failure));
}

/* SIGCHLD is among the caught signals, so sigwaitinfo returns when the child ends: no signal can be missed between
 * waitpid and the wait. */
bool hd_cc_session_run(hd_cc_session *session, const hd_cc_texts *arguments, int *status, hd_error *error)
{
    pid_t child;
    int code;
    if (!start(session, arguments, &child, error))
        return false;
    while (waitpid(child, &code, WNOHANG) == 0) {
        int number = sigwaitinfo(&session->caught, NULL);
        if (number > 0 && number != SIGCHLD) {
            session->signal = number;
            kill(child, number);
        }
    }
    *status = WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code);
    return true;
}
