#include "runtime/sync/process.h"

#include "runtime/face/face.h"
#include "runtime/image/owners.h"
#include "runtime/libc/libc.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/children.h"
#include "runtime/symbolic/calls.h"
#include "runtime/sync/fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

HD_FACE _Noreturn void hd_exit(int status)
{
    hd_process_exit(status, hd_passed_to((const void *)hd_exit, 0));
}

HD_FACE _Noreturn void hd__exit(int status)
{
    hd_process_exit_at_once(status, hd_passed_to((const void *)hd__exit, 0));
}

HD_FACE _Noreturn void hd__Exit(int status)
{
    hd_process_exit_at_once(status, hd_passed_to((const void *)hd__Exit, 0));
}

HD_FACE _Noreturn void hd_quick_exit(int status)
{
    hd_process_exit_quickly(status, hd_passed_to((const void *)hd_quick_exit, 0));
}

HD_FACE int hd_atexit(void (*handler)(void))
{
    return hd_process_at_exit(handler);
}

HD_FACE int hd_on_exit(void (*handler)(int, void *), void *argument)
{
    return hd_process_on_exit(handler, argument);
}

HD_FACE int hd_at_quick_exit(void (*handler)(void))
{
    return hd_process_at_quick_exit(handler);
}

HD_FACE _Noreturn void hd_abort(void)
{
    hd_end(HD_ABORT, hd_call_site, "abort() was called");
}

HD_FACE _Noreturn void hd___assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    (void)file;
    (void)line;
    (void)function;
    hd_end(HD_ASSERTION, hd_call_site, "assertion failed: %s", text);
}

HD_FACE _Noreturn void hd___assert(const char *text, const char *file, int line)
{
    hd___assert_fail(text, file, (unsigned)line, NULL);
}

HD_FACE _Noreturn void hd___assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    hd___assert_fail(strerror(error), file, line, function);
}

HD_FACE _Noreturn void hd___stack_chk_fail(void)
{
    hd_end(HD_OUT_OF_BOUNDS, hd_call_site, "out of bounds: a function has overwritten its own stack frame");
}

HD_FACE void hd_unmodelled(const char *name, const void *function, const hd_site *site)
{
    if (hd_exploring() && !hd_owners_is_own(function))
        hd_end(HD_MODEL_LIMIT, site, "%s is not modelled yet", name);
}

/* --- numbers that must be the same in every run ---------------------------------------- */

HD_FACE pid_t hd_getpid(void)
{
    return hd_exploring() ? HD_FIRST_PID + (pid_t)hd_current->process : getpid();
}

HD_FACE pid_t hd_getppid(void)
{
    uint32_t self = hd_current->process;
    if (!hd_exploring())
        return getppid();
    if (!hd_children_is_child(self))
        return HD_FIRST_PID - 1;
    return hd_children_is_orphan(hd_call_site) ? 1 : HD_FIRST_PID + (pid_t)hd_children_parent(self);
}

HD_FACE pid_t hd_gettid(void)
{
    return (hd_exploring() ? HD_FIRST_PID : getpid()) + (pid_t)hd_identity_of(hd_current);
}

/* --- the environment ----------------------------------------------------------------- */

HD_FACE char *hd_getenv(const char *name)
{
    hd_fs_environment(0, hd_call_site);
    return getenv(name);
}

HD_FACE char *hd_secure_getenv(const char *name)
{
    return hd_getenv(name);
}

HD_FACE int hd_setenv(const char *name, const char *value, int overwrite)
{
    hd_fs_environment(1, hd_call_site);
    return setenv(name, value, overwrite);
}

HD_FACE int hd_unsetenv(const char *name)
{
    hd_fs_environment(1, hd_call_site);
    return unsetenv(name);
}

HD_FACE int hd_putenv(char *text)
{
    hd_fs_environment(1, hd_call_site);
    return putenv(text);
}

HD_FACE int hd_clearenv(void)
{
    hd_fs_environment(1, hd_call_site);
    return clearenv();
}
