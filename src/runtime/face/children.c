/* Making processes, and waiting for them (sync/children.h). Run by hand, the calls are the real ones. */
#include "runtime/face/face.h"
#include "runtime/face/interrupts.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/children.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Run by hand, the child has none of the other threads. */
HD_FACE pid_t hd_fork(void)
{
    if (!hd_exploring()) {
        pid_t pid = fork();
        if (!pid)
            hd_kill_threads(hd_current->process);
        return pid;
    }
    int made = hd_children_fork(hd_call_site);
    return made > 0 ? HD_FIRST_PID + made : made;
}

/* The child has a copy of the memory, as POSIX allows. */
HD_FACE pid_t hd_vfork(void)
{
    return hd_fork();
}

static int is_pid(pid_t pid)
{
    return pid >= HD_FIRST_PID && hd_children_exists((uint32_t)(pid - HD_FIRST_PID));
}

HD_FACE pid_t hd_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    const hd_site *site = hd_call_site;
    int got = 0;
    if (!hd_exploring())
        return wait4(pid, status, options, usage);
    if (options & ~(WNOHANG | WUNTRACED | WCONTINUED))
        return fail(EINVAL);
    if (pid < -1)
        hd_end(HD_MODEL_LIMIT, site, "waiting for another process group is not modelled yet");
    if (pid > 0 && !is_pid(pid))
        return fail(ECHILD);
    if (hd_ends_call(hd_call_begins()))
        return fail(EINTR);
    int child =
        hd_children_wait(pid > 0 ? (uint32_t)(pid - HD_FIRST_PID) : HD_ANY_CHILD, !(options & WNOHANG), 0, &got, site);
    if (child == -EAGAIN)
        return 0;
    if (child < 0)
        return fail(-child);
    if (status) {
        hd_access_range(status, sizeof *status, site, 1);
        *status = got;
    }
    if (usage) {
        hd_access_range(usage, sizeof *usage, site, 1);
        *usage = (struct rusage) { 0 };
    }
    return HD_FIRST_PID + child;
}

HD_FACE pid_t hd_waitpid(pid_t pid, int *status, int options)
{
    return hd_wait4(pid, status, options, NULL);
}

HD_FACE pid_t hd_wait3(int *status, int options, struct rusage *usage)
{
    return hd_wait4(-1, status, options, usage);
}

HD_FACE pid_t hd_wait(int *status)
{
    return hd_wait4(-1, status, 0, NULL);
}

static void describe(siginfo_t *info, int child, int status)
{
    *info = (siginfo_t) { .si_signo = SIGCHLD, .si_code = WIFEXITED(status) ? CLD_EXITED : CLD_KILLED };
    info->si_pid = HD_FIRST_PID + child;
    info->si_uid = getuid();
    info->si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
}

HD_FACE int hd_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    const hd_site *site = hd_call_site;
    int status = 0;
    if (!hd_exploring())
        return waitid(type, id, info, options);
    if (!(options & (WEXITED | WSTOPPED | WCONTINUED))
        || (options & ~(WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT)) || (type != P_ALL && type != P_PID))
        return fail(EINVAL);
    if (!(options & WEXITED))
        hd_end(HD_MODEL_LIMIT, site, "waiting for a process to stop or to continue is not modelled yet");
    if (type == P_PID && !is_pid((pid_t)id))
        return fail(ECHILD);
    if (hd_ends_call(hd_call_begins()))
        return fail(EINTR);
    int child = hd_children_wait(
        type == P_PID ? id - HD_FIRST_PID : HD_ANY_CHILD, !(options & WNOHANG), options & WNOWAIT, &status, site);
    if (child < 0 && child != -EAGAIN)
        return fail(-child);
    if (info) {
        hd_access_range(info, sizeof *info, site, 1);
        if (child == -EAGAIN)
            *info = (siginfo_t) { 0 };
        else
            describe(info, child, status);
    }
    return 0;
}
