/* Making processes, and waiting for them (sync/children.h). Run by hand, the calls are the real ones. */
#include "runtime/face/face.h"
#include "runtime/face/interrupts.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/children.h"
#include "runtime/sync/groups.h"

#include <errno.h>
#include <limits.h>
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
    int made = hd_children_fork(0, hd_call_site);
    return made > 0 ? HD_FIRST_PID + made : made;
}

/* The child has a copy of the memory, as POSIX allows. */
HD_FACE pid_t hd_vfork(void)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return hd_fork();
    int made = hd_children_fork(1, site);
    if (made > 0)
        hd_children_await_leaving((uint32_t)made, site);
    return made > 0 ? HD_FIRST_PID + made : made;
}

static int is_pid(pid_t pid)
{
    return pid >= HD_FIRST_PID && hd_children_exists((uint32_t)(pid - HD_FIRST_PID));
}

/* The child that a call waits for, HD_ANY_CHILD, or minus an error number. */
static int64_t which(idtype_t type, id_t id, const hd_site *site)
{
    if (type == P_ALL)
        return HD_ANY_CHILD;
    if (type == P_PGID)
        return hd_children_of_group(id ? id - HD_FIRST_PID : hd_group_of(hd_current->process, site), site);
    return is_pid((pid_t)id) ? (int64_t)(id - HD_FIRST_PID) : -ECHILD;
}

HD_FACE pid_t hd_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    const hd_site *site = hd_call_site;
    int got = 0;
    if (!hd_exploring())
        return wait4(pid, status, options, usage);
    if (options & ~(WNOHANG | WUNTRACED | WCONTINUED))
        return fail(EINVAL);
    if (pid == INT_MIN)
        return fail(ESRCH);
    int64_t whom = which(pid == -1 ? P_ALL : pid > 0 ? P_PID : P_PGID, (id_t)(pid < -1 ? -pid : pid), site);
    if (whom < 0)
        return fail((int)-whom);
    hd_call_site = site;
    if (hd_ends_call(hd_call_begins()))
        return fail(EINTR);
    int child = hd_children_wait((uint32_t)whom, !(options & WNOHANG), 0, &got, site);
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
        || (options & ~(WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT))
        || (type != P_ALL && type != P_PID && type != P_PGID))
        return fail(EINVAL);
    if (!(options & WEXITED))
        hd_end(HD_MODEL_LIMIT, site, "waiting for a process to stop or to continue is not modelled yet");
    int64_t whom = which(type, id, site);
    if (whom < 0)
        return fail((int)-whom);
    hd_call_site = site;
    if (hd_ends_call(hd_call_begins()))
        return fail(EINTR);
    int child = hd_children_wait((uint32_t)whom, !(options & WNOHANG), options & WNOWAIT, &status, site);
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

/* --- process groups ------------------------------------------------------------------- */

/* The process with this number, or the current one for 0; -1: there is none. */
static int find_process(pid_t pid)
{
    if (!pid)
        return (int)hd_current->process;
    return is_pid(pid) ? (int)(pid - HD_FIRST_PID) : -1;
}

HD_FACE int hd_setpgid(pid_t pid, pid_t group)
{
    if (!hd_exploring())
        return setpgid(pid, group);
    int process = find_process(pid);
    if (group < 0)
        return fail(EINVAL);
    if (process < 0)
        return fail(ESRCH);
    if (group && (group < HD_FIRST_PID || group >= HD_FIRST_PID + HD_MOST_PROCESSES))
        return fail(EPERM);
    int error =
        hd_groups_set((uint32_t)process, group ? (uint32_t)(group - HD_FIRST_PID) : (uint32_t)process, hd_call_site);
    return error ? fail(-error) : 0;
}

HD_FACE pid_t hd_getpgid(pid_t pid)
{
    if (!hd_exploring())
        return getpgid(pid);
    int process = find_process(pid);
    return process < 0 ? fail(ESRCH) : HD_FIRST_PID + (pid_t)hd_group_of((uint32_t)process, hd_call_site);
}

HD_FACE pid_t hd_getpgrp(void)
{
    return hd_getpgid(0);
}

HD_FACE int hd_setpgrp(void)
{
    return hd_setpgid(0, 0);
}

HD_FACE pid_t hd_setsid(void)
{
    if (!hd_exploring())
        return setsid();
    int error = hd_groups_new_session(hd_call_site);
    return error ? fail(-error) : HD_FIRST_PID + (pid_t)hd_current->process;
}

HD_FACE pid_t hd_getsid(pid_t pid)
{
    if (!hd_exploring())
        return getsid(pid);
    int process = find_process(pid);
    return process < 0 ? fail(ESRCH) : HD_FIRST_PID + (pid_t)hd_session_of((uint32_t)process, hd_call_site);
}
