/* posix_spawn: fork, what attributes and file actions say, and exec; the parent waits until the child has become the
 * program, or has failed. File actions are kept in a form of heddle's own, since the C library's is not public. Run by
 * hand, they are translated, and the call is the real one. */
#include "runtime/face/face.h"
#include "runtime/face/spawn_internal.h"
#include "runtime/libc/see.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/children.h"
#include "runtime/core/end.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum action_kind { OPENS, CLOSES, DUPLICATES } action_kind;

typedef struct action {
    action_kind kind;
    int fd, from, flags;
    mode_t mode;
    char *path;
} action;

static action *actions_of(const posix_spawn_file_actions_t *list)
{
    return (action *)(void *)list->__actions;
}

HD_FACE int hd_posix_spawn_file_actions_init(posix_spawn_file_actions_t *list)
{
    hd_access_range(list, sizeof *list, hd_call_site, 1);
    memset(list, 0, sizeof *list);
    return 0;
}

HD_FACE int hd_posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *list)
{
    hd_access_range(list, sizeof *list, hd_call_site, 1);
    for (int i = 0; i < list->__used; i++)
        hd_face_free(actions_of(list)[i].path);
    hd_face_free(list->__actions);
    memset(list, 0, sizeof *list);
    return 0;
}

static int add(posix_spawn_file_actions_t *list, const action *what)
{
    hd_access_range(list, sizeof *list, hd_call_site, 1);
    if (what->fd < 0 || what->fd >= sysconf(_SC_OPEN_MAX) || what->from < 0)
        return EBADF;
    action *more = hd_face_realloc(list->__actions, (size_t)(list->__used + 1) * sizeof *more);
    if (!more)
        return ENOMEM;
    more[list->__used++] = *what;
    list->__actions = (void *)more;
    return 0;
}

HD_FACE int hd_posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *list, int fd, const char *path, int flags, mode_t mode)
{
    const hd_site *site = hd_call_site;
    size_t size = hd_see_string(path, site) + 1;
    char *copy = hd_face_malloc(size);
    if (!copy)
        return ENOMEM;
    memcpy(copy, path, size);
    hd_call_site = site;
    int error = add(list, &(action) { .kind = OPENS, .fd = fd, .flags = flags, .mode = mode, .path = copy });
    if (error)
        hd_face_free(copy);
    return error;
}

HD_FACE int hd_posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *list, int fd)
{
    return add(list, &(action) { .kind = CLOSES, .fd = fd });
}

HD_FACE int hd_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *list, int from, int fd)
{
    return add(list, &(action) { .kind = DUPLICATES, .fd = fd, .from = from });
}

/* --- in the child ------------------------------------------------------------------------ */

int hd_open(const char *path, int flags, ...);
int hd_close(int fd);
int hd_dup2(int fd, int to);
int hd_fcntl(int fd, int command, ...);
int hd_setpgid(pid_t pid, pid_t group);
pid_t hd_setsid(void);
int hd_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int hd_sigaction(int signal, const struct sigaction *new, struct sigaction *old);

static int open_as(const action *a)
{
    hd_close(a->fd);
    int made = hd_open(a->path, a->flags, a->mode);
    if (made < 0 || made == a->fd)
        return made;
    int moved = hd_dup2(made, a->fd);
    hd_close(made);
    return moved;
}

/* A descriptor that is duplicated to itself stays open in the program. */
static int perform(const action *a)
{
    switch (a->kind) {
    case OPENS:
        return open_as(a);
    case CLOSES:
        hd_close(a->fd); /* one that is not open is no error */
        return 0;
    default:
        return a->from == a->fd ? hd_fcntl(a->fd, F_SETFD, 0) : hd_dup2(a->from, a->fd);
    }
}

static void reset_signals(const sigset_t *signals)
{
    struct sigaction by_default = { .sa_handler = SIG_DFL };
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(signals, signal) == 1 && signal != SIGKILL && signal != SIGSTOP)
            hd_sigaction(signal, &by_default, NULL);
}

static int apply_attributes(const posix_spawnattr_t *attributes)
{
    short flags = 0;
    pid_t group = 0;
    sigset_t signals;
    posix_spawnattr_getflags(attributes, &flags);
    posix_spawnattr_getpgroup(attributes, &group);
    posix_spawnattr_getsigdefault(attributes, &signals);
    if (flags & POSIX_SPAWN_SETSIGDEF)
        reset_signals(&signals);
    if ((flags & POSIX_SPAWN_SETSID) && hd_setsid() < 0)
        return -1;
    if ((flags & POSIX_SPAWN_SETPGROUP) && hd_setpgid(0, group))
        return -1;
    posix_spawnattr_getsigmask(attributes, &signals);
    return flags & POSIX_SPAWN_SETSIGMASK ? hd_sigprocmask(SIG_SETMASK, &signals, NULL) : 0;
}

typedef int exec_function(const char *path, char *const *arguments, char *const *environment, const char *name);

/* What the parent waits for; every call is at the site of posix_spawn. Returns the error. */
static int prepare_child(const posix_spawn_file_actions_t *list, const posix_spawnattr_t *attributes)
{
    const hd_site *site = hd_call_site;
    if (attributes && apply_attributes(attributes))
        return errno;
    for (int i = 0; list && i < list->__used; i++) {
        hd_call_site = site;
        if (perform(&actions_of(list)[i]) < 0)
            return errno;
    }
    hd_call_site = site;
    return 0;
}

/* --- the functions ------------------------------------------------------------------------- */

typedef int real_spawn(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const *, char *const *);

static int spawn_by_hand(real_spawn *spawn, pid_t *pid, const char *path, const posix_spawn_file_actions_t *list,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
    posix_spawn_file_actions_t real;
    int error = posix_spawn_file_actions_init(&real);
    for (int i = 0; !error && list && i < list->__used; i++) {
        const action *a = &actions_of(list)[i];
        error = a->kind == OPENS ? posix_spawn_file_actions_addopen(&real, a->fd, a->path, a->flags, a->mode)
            : a->kind == CLOSES  ? posix_spawn_file_actions_addclose(&real, a->fd)
                                 : posix_spawn_file_actions_adddup2(&real, a->from, a->fd);
    }
    if (!error)
        error = spawn(pid, path, &real, attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&real);
    return error;
}

static int spawn(exec_function *become, const char *name, pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *list, const posix_spawnattr_t *attributes, char *const *arguments,
    char *const *environment)
{
    const hd_site *site = hd_call_site;
    if (list)
        hd_access_range(list, sizeof *list, site, 0);
    int made = hd_children_fork(1, site);
    hd_call_site = site;
    if (!made) {
        int error = prepare_child(list, attributes);
        if (!error)
            error = -become(path, arguments, environment, name);
        hd_children_fail(error);
        hd_call_site = site;
        hd_process_exit_at_once(127, 0);
    }
    int error = hd_children_await_program((uint32_t)made, site);
    if (!error && pid) {
        hd_access_range(pid, sizeof *pid, site, 1);
        *pid = HD_FIRST_PID + made;
    }
    return error;
}

HD_FACE int hd_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *list,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
    return hd_exploring() ? spawn(hd_exec_path, "posix_spawn", pid, path, list, attributes, arguments, environment)
                          : spawn_by_hand(posix_spawn, pid, path, list, attributes, arguments, environment);
}

HD_FACE int hd_posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *list,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
    return hd_exploring() ? spawn(hd_exec_search, "posix_spawnp", pid, path, list, attributes, arguments, environment)
                          : spawn_by_hand(posix_spawnp, pid, path, list, attributes, arguments, environment);
}
