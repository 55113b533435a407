#include "runtime/reset/stdin.h"

#include "abi/wire.h"
#include "runtime/core/state.h"
#include "runtime/core/system.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static enum { READY, PIPE, TERMINAL } kind;
static int memory = -1; /* the data that has come through the pipe */

/* Makes `fd` standard input. It was just opened, so no other process shares its offset. */
static void replace(int fd)
{
    hd_system(SYS_dup2, (long)fd, STDIN_FILENO);
    hd_system(SYS_close, (long)fd);
}

static void replace_by(const char *path)
{
    long fd = hd_system(SYS_open, path, O_RDONLY);
    if (fd >= 0)
        replace((int)fd);
}

static void reopen(int fd)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    replace_by(path);
}

void hd_stdin_init(int inputs)
{
    struct stat status;
    const char *kept = getenv(HD_ENV_INPUT);
    if (inputs >= 0) {
        replace(inputs);
        return;
    }
    if (!getenv(HD_ENV_ENGINE) || fstat(STDIN_FILENO, &status))
        return;
    if (kept) {
        kind = PIPE;
        memory = atoi(kept);
    } else if (isatty(STDIN_FILENO)) {
        kind = TERMINAL;
        replace_by("/dev/null");
    } else if (S_ISREG(status.st_mode)) {
        off_t start = lseek(STDIN_FILENO, 0, SEEK_CUR);
        reopen(STDIN_FILENO);
        lseek(STDIN_FILENO, start, SEEK_SET);
    }
}

static void keep_pipe(void)
{
    char bytes[4096];
    long got;
    while ((got = hd_system(SYS_read, STDIN_FILENO, bytes, sizeof bytes)) > 0)
        hd_system(SYS_write, (long)memory, bytes, got);
    reopen(memory);
}

void hd_stdin_used(void)
{
    if (kind == PIPE)
        keep_pipe();
    else if (kind == TERMINAL)
        *hd_rt.read_terminal = 1;
    kind = READY;
}
