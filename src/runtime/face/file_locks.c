/* Locks of files (runtime/kernel/file_locks.h). Run by hand, the program has real ones. */
#include "runtime/kernel/file_locks.h"

#include "runtime/face/descriptors_internal.h"
#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typeof(getpid) hd_getpid;

/* --- what both have in common ----------------------------------------------------------------- */

/* The open file of a call on a real descriptor, and its flags: 0 or minus an error number. */
static int find(int fd, hd_open_file *at, int *flags, const hd_site *site)
{
    if (hd_modelled_mode(fd))
        hd_end(HD_MODEL_LIMIT, site, "a lock of something other than a file is not modelled yet");
    int error = hd_fs_open_file(fd, at, site);
    hd_call_site = site;
    *flags = error ? 0 : fcntl(fd, F_GETFL);
    return error ? error : *flags < 0 || (*flags & O_PATH) ? -EBADF : 0;
}

/* If another thread has closed the descriptor while the call waited, the lock does not outlast the call. */
static int set(int fd, hd_file_lock *want, int waits, const hd_site *site)
{
    int error = hd_file_lock_set(want, waits, site);
    if (error || !waits || want->type == F_UNLCK || hd_fs_still_leads_to(fd, &want->at, site))
        return -error;
    want->type = F_UNLCK;
    hd_file_lock_set(want, 0, site);
    return want->sort == HD_LOCK_OF_PROCESS ? -EBADF : 0;
}

/* --- flock ---------------------------------------------------------------------------------------- */

/* Other threads run while the call waits. */
static int flock_by_hand(int fd, int operation)
{
    while (hd_fast_state.waits && !(operation & LOCK_NB)) {
        int result = flock(fd, operation | LOCK_NB);
        if (!result || errno != EWOULDBLOCK)
            return result;
        hd_yield_by_hand();
    }
    return flock(fd, operation);
}

static int type_of(int operation)
{
    switch (operation & ~LOCK_NB) {
    case LOCK_SH:
        return F_RDLCK;
    case LOCK_EX:
        return F_WRLCK;
    case LOCK_UN:
        return F_UNLCK;
    default:
        return -EINVAL;
    }
}

HD_FACE int hd_flock(int fd, int operation)
{
    const hd_site *site = hd_call_site;
    int flags, type = type_of(operation);
    if (!hd_exploring())
        return flock_by_hand(fd, operation);
    if (type < 0)
        return (int)hd_answer(type);
    hd_file_lock want = {
        .process = hd_current->process, .sort = HD_LOCK_WHOLE, .type = type, .end = hd_lock_to_the_end
    };
    int error = find(fd, &want.at, &flags, site);
    return (int)hd_answer(error ? error : set(fd, &want, !(operation & LOCK_NB), site));
}

/* --- fcntl ------------------------------------------------------------------------------------------ */

int hd_is_lock_command(int command)
{
    return command == F_GETLK || command == F_SETLK || command == F_SETLKW || command == F_OFD_GETLK
        || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

static int is_of_open_file(int command)
{
    return command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

static int asks(int command)
{
    return command == F_GETLK || command == F_OFD_GETLK;
}

static int waits(int command)
{
    return command == F_SETLKW || command == F_OFD_SETLKW;
}

/* Where the range is counted from: an offset, or minus an error number. */
static int64_t base_of(int fd, int whence, const hd_site *site)
{
    struct stat at;
    if (whence == SEEK_SET)
        return 0;
    if (whence != SEEK_CUR && whence != SEEK_END)
        return -EINVAL;
    hd_fs_use(fd, site);
    hd_call_site = site;
    return whence == SEEK_CUR ? lseek(fd, 0, SEEK_CUR) : fstat(fd, &at) ? -EBADF : at.st_size;
}

/* 0 or minus an error number. */
static int range_of(const struct flock *l, int64_t base, hd_file_lock *want)
{
    int64_t length = l->l_len;
    if (base < 0)
        return (int)base;
    if (__builtin_add_overflow(base, l->l_start, &want->start))
        return -EOVERFLOW;
    if (want->start < 0)
        return -EINVAL;
    if (length > 0 && length - 1 > INT64_MAX - want->start)
        return -EOVERFLOW;
    if (length < 0 && want->start + length < 0)
        return -EINVAL;
    want->end = length ? want->start + length - 1 : hd_lock_to_the_end;
    if (length < 0) {
        want->end = want->start - 1;
        want->start += length;
    }
    return 0;
}

/* What the call asks for, without the open file: 0 or minus an error number. */
static int translate(int fd, int command, const struct flock *l, hd_file_lock *want, const hd_site *site)
{
    int is_lock = l->l_type == F_RDLCK || l->l_type == F_WRLCK;
    if (command == F_GETLK && !is_lock)
        return -EINVAL;
    if (command == F_OFD_GETLK && l->l_type == F_UNLCK)
        hd_end(HD_MODEL_LIMIT, site, "F_OFD_GETLK of all locks (F_UNLCK) is not modelled yet");
    want->process = hd_current->process;
    want->sort = is_of_open_file(command) ? HD_LOCK_OF_OPEN_FILE : HD_LOCK_OF_PROCESS;
    want->type = l->l_type;
    int error = range_of(l, base_of(fd, l->l_whence, site), want);
    if (error || (!is_lock && l->l_type != F_UNLCK))
        return error ? error : -EINVAL;
    return is_of_open_file(command) && l->l_pid ? -EINVAL : 0;
}

static void tell(struct flock *to, const hd_file_lock *found)
{
    *to = (struct flock) { .l_type = (short)found->type,
        .l_whence = SEEK_SET,
        .l_start = found->start,
        .l_len = found->end == hd_lock_to_the_end ? 0 : found->end - found->start + 1,
        .l_pid =
            found->sort == HD_LOCK_OF_PROCESS ? hd_getpid() - (int)hd_current->process + (int)found->process : -1 };
}

static void ask(struct flock *l, const hd_file_lock *want, const hd_site *site)
{
    hd_file_lock found;
    int is_there = hd_file_lock_find(want, &found, site);
    hd_access_range(l, sizeof *l, site, 1);
    if (is_there)
        tell(l, &found);
    else
        l->l_type = F_UNLCK;
}

/* A lock for reading needs a descriptor for reading, one for writing a descriptor for writing. */
static int permits(int flags, int type)
{
    int access = flags & O_ACCMODE;
    return type == F_UNLCK || access == O_RDWR || access == (type == F_RDLCK ? O_RDONLY : O_WRONLY);
}

static int control(int fd, int command, struct flock *l, const hd_site *site)
{
    hd_file_lock want = { .type = F_UNLCK };
    int flags, error = find(fd, &want.at, &flags, site);
    if (error)
        return error;
    hd_access_range(l, sizeof *l, site, 0);
    error = translate(fd, command, l, &want, site);
    if (error)
        return error;
    if (asks(command)) {
        ask(l, &want, site);
        return 0;
    }
    return permits(flags, want.type) ? set(fd, &want, waits(command), site) : -EBADF;
}

static int control_by_hand(int fd, int command, struct flock *l)
{
    int at_once = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    while (hd_fast_state.waits && waits(command)) {
        int result = fcntl(fd, at_once, l);
        if (!result || (errno != EAGAIN && errno != EACCES))
            return result;
        hd_yield_by_hand();
    }
    return fcntl(fd, command, l);
}

int hd_lock_control(int fd, int command, void *argument)
{
    if (!hd_exploring())
        return control_by_hand(fd, command, argument);
    return (int)hd_answer(control(fd, command, argument, hd_call_site));
}

/* --- lockf -------------------------------------------------------------------------------------------- */

static int test(int fd, off_t length, const hd_site *site)
{
    struct flock l = { .l_type = F_RDLCK, .l_whence = SEEK_CUR, .l_len = length };
    int error = control(fd, F_GETLK, &l, site);
    if (error)
        return error;
    return l.l_type == F_UNLCK || l.l_pid == hd_getpid() ? 0 : -EACCES;
}

HD_FACE int hd_lockf(int fd, int command, off_t length)
{
    struct flock l = { .l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK, .l_whence = SEEK_CUR, .l_len = length };
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return lockf(fd, command, length);
    if (command == F_TEST)
        return (int)hd_answer(test(fd, length, site));
    if (command != F_ULOCK && command != F_LOCK && command != F_TLOCK)
        return (int)hd_answer(-EINVAL);
    return (int)hd_answer(control(fd, command == F_LOCK ? F_SETLKW : F_SETLK, &l, site));
}

HD_FACE int hd_lockf64(int fd, int command, off_t length)
{
    return hd_lockf(fd, command, length);
}
