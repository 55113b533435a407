#include "runtime/libc/files.h"

#include "runtime/reset/stdin.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

#include <unistd.h>

/* Objects that represent descriptors in operations. */
static uint64_t fd_objects[1024];

void hd_libc_reset(void)
{
    hd_strings_reset();
}

void hd_outside_effect(const char *what)
{
    if (hd_exploring() && !hd_rt.options->settings.fork)
        hd_end(HD_NEEDS_FORK, hd_call_site, "%s", what);
    hd_effect();
}

/* --- the console ------------------------------------------------------------------- */

int hd_is_console(FILE *stream)
{
    return stream == stdout || stream == stderr;
}

int hd_is_console_fd(int fd)
{
    return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

int hd_shows_output(void)
{
    return hd_rt.options->show_output;
}

/* --- uses -------------------------------------------------------------------------- */

FILE *hd_use_stream(FILE *stream, const hd_site *site)
{
    hd_access_object(stream, site);
    if (stream == stdin)
        hd_stdin_used();
    return stream;
}

int hd_use_fd(int fd, const hd_site *site)
{
    if (fd < 0)
        return fd;
    hd_access_object(&fd_objects[fd % 1024], site);
    if (fd == STDIN_FILENO)
        hd_stdin_used();
    return fd;
}
