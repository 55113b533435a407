#include "runtime/process.h"

#include "runtime/face/face.h"
#include "runtime/sched.h"

#include <stdlib.h>
#include <stdio.h>

HD_FACE _Noreturn void hd_exit(int status)
{
    hd_process_exit(status);
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

HD_FACE int hd_atexit(void (*handler)(void))
{
    return hd_process_at_exit(handler);
}

HD_FACE void hd_unmodelled(const char *name, const hd_site *site)
{
    if (hd_exploring())
        hd_end(HD_MODEL_LIMIT, site, "%s is not modelled yet", name);
}
