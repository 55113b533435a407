#include "runtime/process.h"

#include "runtime/face/face.h"
#include "runtime/libc/libc.h"
#include "runtime/sched.h"
#include "runtime/snapshot.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

HD_FACE _Noreturn void hd_exit(int status)
{
    hd_process_exit(status);
}

HD_FACE _Noreturn void hd__exit(int status)
{
    hd_process_exit_at_once(status);
}

HD_FACE _Noreturn void hd__Exit(int status)
{
    hd_process_exit_at_once(status);
}

HD_FACE _Noreturn void hd_quick_exit(int status)
{
    hd_process_exit_quickly(status);
}

HD_FACE int hd_atexit(void (*handler)(void))
{
    return hd_process_at_exit(handler);
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

/* A function that the program, or a library that heddle compiled, has under
 * that name. In an executable that is not relocated, the library's functions
 * have an address in it too: that of a jump. */
static int is_the_programs_own(const void *function)
{
    static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa };
    enum { JUMP = 0xff, BOUND = 0xf2 };
    Dl_info info;
    if (!function || !dladdr(function, &info) || !hd_snapshot_is_of(info.dli_fbase))
        return 0;
    const unsigned char *code = function;
    if (!memcmp(code, landing, sizeof landing))
        code += sizeof landing;
    return *code != JUMP && *code != BOUND;
}

HD_FACE void hd_unmodelled(const char *name, const void *function, const hd_site *site)
{
    if (hd_exploring() && !is_the_programs_own(function))
        hd_end(HD_MODEL_LIMIT, site, "%s is not modelled yet", name);
}

/* --- numbers that must not differ from run to run ------------------------------------- */

enum { PROCESS = 4242 };

HD_FACE pid_t hd_getpid(void)
{
    return hd_exploring() ? PROCESS : getpid();
}

HD_FACE pid_t hd_getppid(void)
{
    return hd_exploring() ? PROCESS - 1 : getppid();
}

HD_FACE pid_t hd_gettid(void)
{
    return hd_getpid() + (pid_t)hd_current->id;
}

/* --- the environment ----------------------------------------------------------------- */

HD_FACE int hd_setenv(const char *name, const char *value, int overwrite)
{
    hd_outside_effect("setenv changes the environment");
    return setenv(name, value, overwrite);
}

HD_FACE int hd_unsetenv(const char *name)
{
    hd_outside_effect("unsetenv changes the environment");
    return unsetenv(name);
}

HD_FACE int hd_putenv(char *text)
{
    hd_outside_effect("putenv changes the environment");
    return putenv(text);
}

HD_FACE int hd_clearenv(void)
{
    hd_outside_effect("clearenv changes the environment");
    return clearenv();
}
