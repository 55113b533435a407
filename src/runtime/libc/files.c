#include "runtime/libc/files.h"

#include "runtime/kernel/descriptors.h"
#include "runtime/reset/kernel.h"
#include "runtime/reset/overlay.h"
#include "runtime/reset/stdin.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <unistd.h>

void hd_libc_reset(void)
{
    hd_strings_reset();
}

void hd_needs_fork(const char *what)
{
    if (hd_exploring() && !hd_rt.options->settings.fork)
        hd_end(HD_NEEDS_FORK, hd_call_site, "%s", what);
}

void hd_changes_files(const char *what)
{
    if (!hd_overlay_is_on())
        hd_needs_fork(what);
}

void hd_outside_effect(const char *what)
{
    hd_needs_fork(what);
    hd_effect();
}

/* --- the console ------------------------------------------------------------------- */

int hd_is_console(FILE *stream)
{
    return (stream == stdout || stream == stderr) && !hd_descriptors_at(fileno(stream));
}

int hd_is_console_fd(int fd)
{
    return (fd == STDOUT_FILENO || fd == STDERR_FILENO) && !hd_descriptors_at(fd);
}

int hd_shows_output(void)
{
    return hd_rt.options->show_output;
}

/* --- uses -------------------------------------------------------------------------- */

FILE *hd_use_stream(FILE *stream, const hd_site *site)
{
    int fd = hd_use_fd(fileno(stream), site);
    hd_call_site = site;
    if (fd >= 0 && hd_descriptors_at(fd))
        hd_library_use(fd);
    return stream;
}

int hd_use_fd(int fd, const hd_site *site)
{
    if (fd < 0)
        return fd;
    hd_fs_use(fd, site);
    if (fd == STDIN_FILENO && !hd_descriptors_at(fd))
        hd_stdin_used();
    return fd;
}
