/* Descriptors: those that the execution opened are closed after it; the offsets of those that were open before are
 * restored. Everything else that would change an earlier descriptor needs fork isolation. */
#include "runtime/reset/overlay_internal.h"

#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/reset/mapped.h"
#include "runtime/reset/rewind.h"
#include "runtime/reset/stdin.h"
#include "runtime/reset/trap.h"
#include "runtime/reset/unannounced.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_FILES = 4096, BITS = 64, MOST_MOVED = 64 };

static struct {
    uint64_t set[MOST_FILES / BITS];
    uint64_t groups; /* which words of `set` are not 0 */
} opened;

/* Those of them that stand for modelled objects. The kernel does not know these, unless its calls are not intercepted:
 * a descriptor that it makes is moved to the lowest number that is free in both senses. */
static struct {
    uint64_t set[MOST_FILES / BITS];
    uint32_t count;
} reserved;

/* Numbers that were in use before; asked for by words, when they are first needed. */
static struct {
    uint64_t set[MOST_FILES / BITS];
    uint64_t known; /* the words that have been asked for */
} inherited;

static uint64_t kernel_limit; /* of descriptors; 0: not asked for yet */

uint64_t hd_kernel_holders[HD_KERNEL_NUMBERS];

static uint32_t descriptions[MOST_FILES]; /* duplicates have the same number */
static uint32_t description_count;

static struct {
    int fd;
    int64_t offset;
} moved[MOST_MOVED];
static uint32_t moved_count;

int hd_files_is_opened(int fd)
{
    return fd >= 0 && fd < MOST_FILES && opened.set[fd / BITS] >> fd % BITS & 1;
}

static int is_open(int fd)
{
    return hd_system(SYS_fcntl, (long)fd, F_GETFD) >= 0;
}

/* Does the process have it from before the execution? A call on a number that is not in use fails and changes nothing.
 */
static int is_inherited(int fd)
{
    return !hd_files_is_opened(fd) && is_open(fd);
}

static void note(long fd)
{
    opened.set[fd / BITS] |= 1ull << fd % BITS;
    opened.groups |= 1ull << fd / BITS;
    descriptions[fd] = ++description_count;
}

static int is_above_limit(long fd)
{
    return fd >= 0 && (uint64_t)fd >= hd_overlay_limit();
}

/* --- the lowest free number ---------------------------------------------------------------- */

static uint64_t used_in(uint32_t group)
{
    if (!(inherited.known >> group & 1)) {
        inherited.known |= 1ull << group;
        for (uint32_t i = 0; i < BITS; i++) {
            int fd = (int)(group * BITS + i);
            if (is_inherited(fd))
                inherited.set[group] |= 1ull << i;
        }
    }
    return opened.set[group] | inherited.set[group];
}

/* MOST_FILES: there is none. */
static long lowest_free(int from)
{
    for (uint32_t group = (uint32_t)from / BITS; group < MOST_FILES / BITS; group++) {
        uint64_t free = ~used_in(group);
        if (group == (uint32_t)from / BITS)
            free &= UINT64_MAX << from % BITS;
        if (free)
            return group * BITS + __builtin_ctzll(free);
    }
    return MOST_FILES;
}

void hd_files_forget_limit(void)
{
    kernel_limit = 0;
}

static int is_beyond(long fd)
{
    struct rlimit limit;
    if (!kernel_limit && !hd_system(SYS_getrlimit, (long)RLIMIT_NOFILE, &limit))
        kernel_limit = limit.rlim_cur;
    return fd >= MOST_FILES || (uint64_t)fd >= kernel_limit || is_above_limit(fd);
}

/* Are the numbers of modelled objects known here alone? That needs all calls that open files; with real files the
 * kernel must know of them, so each has a placeholder. */
static int is_virtual(void)
{
    return hd_trap_works() && !hd_rt.options->settings.real_files;
}

/* The kernel has made `fd`, with the lowest number from `from` on that it knows to be free. */
static long settle(long fd, int from)
{
    long wanted = lowest_free(from);
    if (wanted == fd)
        return fd;
    long closes = hd_system(SYS_fcntl, fd, (long)F_GETFD) & FD_CLOEXEC;
    long moved_to = is_beyond(wanted) ? -EMFILE : hd_system(SYS_dup3, fd, wanted, (long)(closes ? O_CLOEXEC : 0));
    hd_system(SYS_close, fd);
    return moved_to;
}

/* Records a new descriptor; `result` may also be an error. Its number is the lowest one from `from` on, or (-1) one
 * that the program has given. */
static long opens(hd_call *call, long result, int from)
{
    if (result >= 0 && reserved.count && is_virtual() && from >= 0)
        result = settle(result, from);
    if (result < 0)
        return result;
    if (is_above_limit(result)) {
        hd_system(SYS_close, result);
        return -EMFILE;
    }
    if (result >= MOST_FILES && hd_overlay_is_on())
        return hd_kernel_end(call, HD_NEEDS_FORK, "more than 4096 open files");
    if (result >= MOST_FILES)
        return hd_kernel_refuse(call, "more than 4096 open files");
    note(result);
    return result;
}

/* The offset of `fd` may change: it is restored later if the descriptor was open before the execution. Returns 0 if
 * it has no offset (a pipe, a socket): data that is read cannot be read again. */
static int moves(int fd)
{
    if (!is_inherited(fd))
        return 1;
    for (uint32_t i = 0; i < moved_count; i++)
        if (moved[i].fd == fd)
            return 1;
    int64_t offset = hd_system(SYS_lseek, (long)fd, 0, SEEK_CUR);
    if (offset < 0 || moved_count == MOST_MOVED)
        return 0;
    moved[moved_count].fd = fd;
    moved[moved_count++].offset = offset;
    return 1;
}

/* --- new ones -------------------------------------------------------------------------- */

long hd_files_opened(hd_call *call, long result)
{
    return opens(call, result, 0);
}

/* Without the overlay, only /dev/null may be opened for writing: everything else is an effect outside of the process.
 */
long hd_files_open(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode)
{
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    if (!path)
        return -EFAULT;
    int changes = writes && strcmp(path, "/dev/null") != 0;
    if (hd_kernel_use(call, HD_USES_NUMBERS | (changes ? HD_CHANGES_FILES : HD_LOOKS_AT_FILES)))
        return 0;
    if (hd_overlay_is_on() && (changes || !hd_overlay_is_clean()))
        return hd_overlay_open(call, from, path, flags, mode);
    if (changes)
        return hd_kernel_change(call, "a file is opened for writing");
    return opens(call, hd_kernel_perform(call), 0);
}

long hd_files_new(hd_call *call)
{
    if (hd_kernel_use(call, HD_USES_NUMBERS))
        return 0;
    return opens(call, hd_kernel_perform(call), 0);
}

long hd_files_pipe(hd_call *call)
{
    if (hd_kernel_use(call, HD_USES_NUMBERS))
        return 0;
    long result = hd_kernel_perform(call);
    int *ends = (int *)call->arguments[0];
    for (int i = 0; i < 2 && result == 0; i++)
        ends[i] = (int)opens(call, ends[i], 0);
    return result;
}

long hd_files_connect(hd_call *call)
{
    long result = hd_kernel_perform(call);
    return result && result != -EINPROGRESS ? result : hd_kernel_refuse(call, "a socket is connected");
}

/* A duplicate shares its offset with the original, so reading it moves the original, too. */
static long duplicate(hd_call *call, int from)
{
    if (hd_kernel_use(call, HD_USES_NUMBERS))
        return 0;
    if (!moves((int)call->arguments[0]))
        return hd_kernel_refuse(call, "a descriptor that cannot be read again is duplicated");
    if (call->number == SYS_fcntl && is_above_limit((int)call->arguments[2]))
        return -EINVAL;
    long made = opens(call, hd_kernel_perform(call), from);
    if (made >= 0 && hd_files_is_opened((int)made) && hd_files_is_opened((int)call->arguments[0]))
        descriptions[made] = descriptions[call->arguments[0]];
    return made;
}

long hd_files_dup(hd_call *call)
{
    return duplicate(call, call->number == SYS_fcntl ? (int)call->arguments[2] : 0);
}

long hd_files_dup2(hd_call *call)
{
    int from = (int)call->arguments[0], to = (int)call->arguments[1];
    if (from == to)
        return hd_kernel_perform(call);
    if (is_above_limit(to))
        return -EBADF;
    if (is_inherited(to))
        return hd_kernel_refuse(call, "a descriptor that the process had before is replaced");
    return duplicate(call, -1);
}

/* --- numbers of modelled objects --------------------------------------------------------- */

int hd_files_is_reserved(int fd)
{
    return fd >= 0 && fd < MOST_FILES && reserved.set[fd / BITS] >> fd % BITS & 1;
}

long hd_files_reserve(int placeholder, int from)
{
    long fd =
        is_virtual() ? lowest_free(from) : hd_system(SYS_fcntl, (long)placeholder, (long)F_DUPFD_CLOEXEC, (long)from);
    if (fd >= 0 && is_beyond(fd)) {
        if (!is_virtual())
            hd_system(SYS_close, fd);
        return -EMFILE;
    }
    if (fd >= 0) {
        note(fd);
        reserved.set[fd / BITS] |= 1ull << fd % BITS;
        reserved.count++;
    }
    return fd;
}

void hd_kernel_unreserve(int fd)
{
    reserved.set[fd / BITS] &= ~(1ull << fd % BITS);
    opened.set[fd / BITS] &= ~(1ull << fd % BITS);
    reserved.count--;
    if (!is_virtual())
        hd_system(SYS_close, (long)fd);
}

/* --- files that move into memory ----------------------------------------------------------- */

long hd_files_reopen(int file, uint64_t flags)
{
    enum { GIVEN = O_CREAT | O_EXCL | O_NOFOLLOW | O_DIRECTORY | O_NOCTTY };
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return hd_system(SYS_open, path, (long)(flags & ~(uint64_t)GIVEN));
}

void hd_files_redirect_description(int fd, int file)
{
    uint32_t description = descriptions[fd];
    long offset = hd_system(SYS_lseek, (long)fd, 0l, SEEK_CUR);
    long made = hd_files_reopen(file, (uint64_t)hd_system(SYS_fcntl, (long)fd, (long)F_GETFL));
    if (offset > 0)
        hd_system(SYS_lseek, made, offset, SEEK_SET);
    for (int other = 0; other < MOST_FILES; other++) {
        if (!hd_files_is_opened(other) || descriptions[other] != description)
            continue;
        int closes = hd_system(SYS_fcntl, (long)other, (long)F_GETFD) & FD_CLOEXEC;
        hd_system(SYS_dup3, made, (long)other, (long)(closes ? O_CLOEXEC : 0));
    }
    hd_system(SYS_close, made);
}

void hd_files_redirect(uint64_t device, uint64_t number, int file)
{
    struct stat at;
    for (uint64_t groups = opened.groups; groups; groups &= groups - 1) {
        uint32_t group = (uint32_t)__builtin_ctzll(groups);
        for (uint64_t left = opened.set[group] & ~reserved.set[group]; left; left &= left - 1) {
            int fd = (int)(group * BITS + (uint32_t)__builtin_ctzll(left));
            if (!hd_system(SYS_fstat, (long)fd, &at) && at.st_dev == device && at.st_ino == number)
                hd_files_redirect_description(fd, file);
        }
    }
}

/* --- uses ------------------------------------------------------------------------------ */

long hd_files_close(hd_call *call)
{
    int fd = (int)call->arguments[0];
    if (fd >= 0 && hd_kernel_use(call, HD_USES_NUMBERS))
        return 0;
    if (hd_files_is_opened(fd))
        opened.set[fd / BITS] &= ~(1ull << fd % BITS);
    else if (is_open(fd)) {
        if (fd < MOST_FILES)
            inherited.set[fd / BITS] &= ~(1ull << fd % BITS);
        return hd_kernel_refuse(call, "a descriptor that the process had before is closed");
    }
    return hd_kernel_perform(call);
}

long hd_files_fcntl(hd_call *call)
{
    switch (call->arguments[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return hd_files_dup(call);
    case F_GETFL:
        return hd_overlay_is_listing((int)call->arguments[0]) ? hd_kernel_perform(call) | O_DIRECTORY
                                                              : hd_kernel_perform(call);
    case F_GETFD:
    case F_GETLK:
    case F_GETOWN:
    case F_GETPIPE_SZ:
        return hd_kernel_perform(call);
    default:
        return is_inherited((int)call->arguments[0])
            ? hd_kernel_refuse(call, "fcntl changes a descriptor that the process had before")
            : hd_kernel_perform(call);
    }
}

long hd_files_ioctl(hd_call *call)
{
    switch (call->arguments[1]) {
    case TCGETS:
    case TIOCGWINSZ:
    case TIOCGPGRP:
    case FIONREAD:
        return hd_kernel_perform(call);
    default:
        return is_inherited((int)call->arguments[0]) ? hd_kernel_refuse(call, "ioctl changes a device")
                                                     : hd_kernel_perform(call);
    }
}

/* A call on a file that is mapped shared has to say so before. */
static int is_unannounced(hd_call *call)
{
    size_t size;
    if (!call->context || !hd_mapped_block((int)call->arguments[0], &size))
        return 0;
    hd_kernel_end(
        call, HD_MODEL_LIMIT, "a stream, or a function that heddle does not model, uses a file that is mapped shared");
    return 1;
}

/* The kernel writes to the buffers of a vector: their pages are opened. */
static void open_vector(const hd_call *call)
{
    const struct iovec *parts = (const struct iovec *)call->arguments[1];
    if (call->number == SYS_readv || call->number == SYS_preadv || call->number == SYS_preadv2)
        for (uint64_t i = 0; i < call->arguments[2]; i++)
            hd_rewind_open((uint64_t)parts[i].iov_base, parts[i].iov_len);
}

long hd_files_read(hd_call *call)
{
    int fd = (int)call->arguments[0];
    if (hd_kernel_use(call, HD_LOOKS_AT_FILES))
        return 0;
    if (fd == STDIN_FILENO)
        hd_stdin_used();
    if (!moves(fd))
        return hd_kernel_refuse(call, "a descriptor that cannot be read again is read");
    if (call->number == SYS_getdents64 && !hd_overlay_is_clean())
        return hd_overlay_list(call);
    if (call->number != SYS_lseek && hd_overlay_is_listing(fd))
        return call->number == SYS_getdents ? hd_kernel_end(call, HD_NEEDS_FORK, "getdents lists a changed directory")
                                            : -EISDIR;
    if (call->number != SYS_lseek && is_unannounced(call))
        return 0;
    hd_mapped_flush(fd);
    open_vector(call);
    return hd_kernel_perform(call);
}

static long size_of(const hd_call *call)
{
    if (call->number == SYS_write || call->number == SYS_pwrite64)
        return (long)call->arguments[2];
    const struct iovec *parts = (const struct iovec *)call->arguments[1];
    size_t size = 0;
    for (uint64_t i = 0; i < call->arguments[2]; i++)
        size += parts[i].iov_len;
    return (long)size;
}

/* Output of a library is shown or discarded like output of the program. */
long hd_files_write(hd_call *call)
{
    int fd = (int)call->arguments[0], is_console = fd == STDOUT_FILENO || fd == STDERR_FILENO;
    if (!is_console && (hd_kernel_use(call, HD_CHANGES_FILES) || hd_kernel_is_flooded(call, (uint64_t)size_of(call))))
        return 0;
    if (!is_inherited(fd)) {
        if (is_unannounced(call))
            return 0;
        hd_overlay_touch_fd(fd);
        hd_mapped_flush(fd);
        long result = hd_kernel_perform(call);
        hd_mapped_refresh(fd);
        hd_overlay_written(call, fd);
        return result;
    }
    if (!is_console)
        return hd_kernel_refuse(call, "a descriptor that the process had before is written to");
    return hd_rt.options->show_output ? hd_kernel_perform(call) : size_of(call);
}

/* --- afterwards -------------------------------------------------------------------------- */

static void close_all(uint32_t group)
{
    for (uint64_t left = opened.set[group] & ~reserved.set[group]; left; left &= left - 1)
        hd_system(SYS_close, (long)(group * BITS + (uint32_t)__builtin_ctzll(left)));
    opened.set[group] = reserved.set[group] = 0;
}

void hd_files_undo(void)
{
    for (; opened.groups; opened.groups &= opened.groups - 1)
        close_all((uint32_t)__builtin_ctzll(opened.groups));
    description_count = reserved.count = 0;
    while (moved_count) {
        moved_count--;
        hd_system(SYS_lseek, (long)moved[moved_count].fd, moved[moved_count].offset, SEEK_SET);
    }
}
