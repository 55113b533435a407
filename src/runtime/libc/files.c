#include "runtime/libc/files.h"

#include "runtime/access.h"
#include "runtime/sched.h"
#include "runtime/symbolic/sources.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MAX_OPEN = 256 };

static struct {
    FILE *streams[MAX_OPEN];
    uint32_t stream_count;
    int fds[MAX_OPEN];
    uint32_t fd_count;
    FILE *input; /* this run's standard input */
} open_now;

/* What stands for a descriptor when threads share it. */
static uint64_t fd_objects[1024];

void hd_libc_reset(void)
{
    hd_strings_reset();
    hd_files_reset();
}

void hd_files_reset(void)
{
    while (open_now.stream_count)
        fclose(open_now.streams[--open_now.stream_count]);
    while (open_now.fd_count)
        close(open_now.fds[--open_now.fd_count]);
    open_now.input = NULL;
}

void hd_outside_effect(const char *what)
{
    if (hd_exploring() && !hd_rt.options->fork)
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

static int can_be_read_again(int fd)
{
    struct stat s;
    if (fstat(fd, &s))
        return 0;
    return S_ISREG(s.st_mode) || (S_ISCHR(s.st_mode) && s.st_rdev == makedev(1, 3)); /* /dev/null */
}

static FILE *own_input(const hd_site *site)
{
    if (open_now.input)
        return open_now.input;
    int inputs = hd_sources_open(NULL);
    if (inputs < 0 && !can_be_read_again(STDIN_FILENO))
        hd_end(HD_MODEL_LIMIT, site, "standard input is read in every run and must be a file: PROGRAM <FILE");
    FILE *input = inputs < 0 ? fopen("/proc/self/fd/0", "r") : fdopen(inputs, "r");
    if (!input)
        hd_end(HD_MODEL_LIMIT, site, "standard input cannot be opened again for every run");
    open_now.input = hd_opened_stream(input);
    return input;
}

/* Run by hand it has only if its bytes are inputs. */
static int has_own_input(void)
{
    return hd_exploring() || open_now.input || hd_sources_has_stdin();
}

/* --- uses -------------------------------------------------------------------------- */

FILE *hd_use_stream(FILE *stream, const hd_site *site)
{
    hd_access_object(stream, site);
    return stream == stdin && has_own_input() ? own_input(site) : stream;
}

int hd_use_fd(int fd, const hd_site *site)
{
    if (fd < 0)
        return fd;
    hd_access_object(&fd_objects[fd % 1024], site);
    return fd == STDIN_FILENO && has_own_input() ? fileno(own_input(site)) : fd;
}

FILE *hd_opened_stream(FILE *stream)
{
    if (!stream || !hd_exploring())
        return stream;
    if (open_now.stream_count == MAX_OPEN)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d open streams", MAX_OPEN);
    return open_now.streams[open_now.stream_count++] = stream;
}

int hd_opened_fd(int fd)
{
    if (fd < 0 || !hd_exploring())
        return fd;
    if (open_now.fd_count == MAX_OPEN)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d open files", MAX_OPEN);
    return open_now.fds[open_now.fd_count++] = fd;
}

void hd_closed_stream(const FILE *stream)
{
    for (uint32_t i = 0; i < open_now.stream_count; i++)
        if (open_now.streams[i] == stream) {
            open_now.streams[i] = open_now.streams[--open_now.stream_count];
            return;
        }
}

void hd_closed_fd(int fd)
{
    for (uint32_t i = 0; i < open_now.fd_count; i++)
        if (open_now.fds[i] == fd) {
            open_now.fds[i] = open_now.fds[--open_now.fd_count];
            return;
        }
}
