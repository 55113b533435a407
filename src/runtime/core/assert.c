#include "runtime/core/assert.h"

#include "runtime/core/system.h"

#include <stdio.h>
#include <sys/syscall.h>

/* By system calls of its own: the program's are intercepted, and its streams belong to the execution. */
void hd_assertion_broken(const char *file, int line, const char *condition)
{
    enum { INTERNAL_ERROR = 70 };
    char text[512];
    int length =
        snprintf(text, sizeof text, "heddle: internal error at %s:%d: broken invariant: %s\n", file, line, condition);
    hd_system(SYS_write, 2L, text, (long)(length < (int)sizeof text ? length : (int)sizeof text - 1));
    hd_system(SYS_exit_group, (long)INTERNAL_ERROR);
    __builtin_unreachable();
}
