/* exec and posix_spawn (sync/exec.h). Run by hand, the calls are the real ones. */
#include "runtime/face/face.h"
#include "runtime/face/spawn_internal.h"
#include "runtime/libc/see.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/exec.h"
#include "runtime/sync/fs.h"

#include <alloca.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

static void see_list(char *const *list, const hd_site *site)
{
    for (; list; list++) {
        SEE(site, READS(list, sizeof *list));
        if (!*list)
            return;
        hd_see_string(*list, site);
    }
}

int hd_exec_path(const char *path, char *const *arguments, char *const *environment, const char *name)
{
    const hd_site *site = hd_call_site;
    hd_see_string(path, site);
    see_list(arguments, site);
    see_list(environment, site);
    int program = hd_exec_find(path, name, site);
    return program < 0 ? program : hd_exec_become((uint32_t)program, arguments, environment, site);
}

/* The next folder of the path, with the file: written to `to`. 0: it does not fit. */
static int join(char *to, const char *folder, size_t length, const char *file)
{
    const char *slash = length ? "/" : "";
    return snprintf(to, PATH_MAX, "%.*s%s%s", (int)length, folder, slash, file) < PATH_MAX;
}

/* Errors after which other folders are tried. */
static int goes_on_after(int error)
{
    return error == EACCES || error == ENOENT || error == ENOTDIR || error == ESTALE || error == ENODEV
        || error == ETIMEDOUT;
}

/* A file that is no program is given to the shell, which heddle did not compile. */
static int exec_or_shell(const char *path, char *const *arguments, char *const *environment, const char *name)
{
    const hd_site *site = hd_call_site;
    int error = hd_exec_path(path, arguments, environment, name);
    if (error == -ENOEXEC)
        hd_end(HD_MODEL_LIMIT, site, "%s of %s by a shell is not modelled", name, path);
    return error;
}

int hd_exec_search(const char *file, char *const *arguments, char *const *environment, const char *name)
{
    const hd_site *site = hd_call_site;
    char path[PATH_MAX];
    int denied = 0;
    hd_see_string(file, site);
    hd_call_site = site;
    if (!*file)
        return -ENOENT;
    if (strchr(file, '/'))
        return exec_or_shell(file, arguments, environment, name);
    if (strlen(file) > NAME_MAX)
        return -ENAMETOOLONG;
    hd_fs_environment(0, site);
    const char *folders = getenv("PATH");
    for (const char *f = folders ? folders : "/bin:/usr/bin";; f++) {
        size_t length = strcspn(f, ":");
        hd_call_site = site;
        int error = join(path, f, length, file) ? exec_or_shell(path, arguments, environment, name) : -ENOENT;
        if (!goes_on_after(-error))
            return error;
        denied |= error == -EACCES;
        f += length;
        if (!*f)
            return denied ? -EACCES : -ENOENT;
    }
}

/* --- the functions ------------------------------------------------------------------------- */

HD_FACE int hd_execve(const char *path, char *const *arguments, char *const *environment)
{
    if (!hd_exploring())
        return execve(path, arguments, environment);
    return fail(-hd_exec_path(path, arguments, environment, "execve"));
}

HD_FACE int hd_execv(const char *path, char *const *arguments)
{
    if (!hd_exploring())
        return execv(path, arguments);
    return fail(-hd_exec_path(path, arguments, environ, "execv"));
}

HD_FACE int hd_execvpe(const char *file, char *const *arguments, char *const *environment)
{
    if (!hd_exploring())
        return execvpe(file, arguments, environment);
    return fail(-hd_exec_search(file, arguments, environment, "execvpe"));
}

HD_FACE int hd_execvp(const char *file, char *const *arguments)
{
    if (!hd_exploring())
        return execvp(file, arguments);
    return fail(-hd_exec_search(file, arguments, environ, "execvp"));
}

/* The arguments as an array, on the stack of the caller. */
#define LIST_ARGUMENTS(first, after) \
    va_list given, again; \
    size_t count = 1; \
    va_start(given, first); \
    va_copy(again, given); \
    while (first && va_arg(again, char *)) \
        count++; \
    va_end(again); \
    char **list = alloca((count + 1) * sizeof *list); \
    list[0] = (char *)first; \
    for (size_t i = 1; i <= count; i++) \
        list[i] = first ? va_arg(given, char *) : NULL; \
    after; \
    va_end(given);

HD_FACE int hd_execl(const char *path, const char *first, ...)
{
    LIST_ARGUMENTS(first, (void)0)
    return hd_exploring() ? fail(-hd_exec_path(path, list, environ, "execl")) : execv(path, list);
}

HD_FACE int hd_execlp(const char *file, const char *first, ...)
{
    LIST_ARGUMENTS(first, (void)0)
    return hd_exploring() ? fail(-hd_exec_search(file, list, environ, "execlp")) : execvp(file, list);
}

HD_FACE int hd_execle(const char *path, const char *first, ...)
{
    LIST_ARGUMENTS(first, char *const *environment = va_arg(given, char *const *))
    return hd_exploring() ? fail(-hd_exec_path(path, list, environment, "execle")) : execve(path, list, environment);
}
