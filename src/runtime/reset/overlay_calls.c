/* System calls on files: finding what a call is about, and the table of calls. */
#include "runtime/reset/overlay_calls_internal.h"

#include "runtime/core/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

hd_place hd_call_first, hd_call_second;

long hd_call_need_real(hd_call *call, const char *what)
{
    hd_kernel_end(call, HD_NEEDS_FORK, what);
    return ENDED;
}

/* --- finding what a call is about -------------------------------------------------------------- */

long hd_call_walk(hd_call *call, hd_place *p, int from, const char *path, int follows)
{
    long error = path ? hd_overlay_walk(p, from, path, follows) : -EFAULT;
    if (!error && p->is_there && hd_spot_is_outside(&p->object))
        return hd_call_need_real(call, "a file of the kernel is changed");
    return error;
}

/* Finds something that must exist; `flags` are AT_…. */
long hd_call_find(int from, const char *path, uint64_t flags)
{
    if ((flags & AT_EMPTY_PATH) && (!path || !*path))
        return hd_overlay_descriptor(&hd_call_first.object, from);
    if (!path)
        return -EFAULT;
    long error = hd_overlay_walk(&hd_call_first, from, path, !(flags & AT_SYMLINK_NOFOLLOW));
    if (error || !hd_call_first.is_there)
        return error ? error : -ENOENT;
    return hd_call_first.has_slash && !hd_spot_is_outside(&hd_call_first.object)
            && !hd_spot_is_directory(&hd_call_first.object)
        ? -ENOTDIR
        : 0;
}

/* The same for a call that changes it: makes its node. */
long hd_call_find_node(hd_call *call, int from, const char *path, uint64_t flags)
{
    long error = hd_call_find(from, path, flags);
    if (error)
        return error;
    if (!hd_call_first.object.node && !S_ISREG(hd_call_first.object.at.st_mode)
        && !hd_spot_is_directory(&hd_call_first.object) && !S_ISLNK(hd_call_first.object.at.st_mode)
        && !S_ISFIFO(hd_call_first.object.at.st_mode))
        return hd_call_need_real(call, "something other than a file is changed");
    hd_overlay_node(&hd_call_first.object);
    return 0;
}
static int has_no_room(hd_call *call)
{
    if (!hd_overlay_has_room())
        hd_kernel_end(call, HD_MODEL_LIMIT, "more names of changed files than memory for them");
    return !hd_overlay_has_room();
}

static long answer(long result)
{
    return result == ENDED ? 0 : result;
}

long hd_overlay_open(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode)
{
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
    if (has_no_room(call) || (writes && hd_kernel_is_too_much(call)))
        return 0;
    if (flags & O_PATH)
        flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    return answer(hd_call_open(call, from, path, flags, mode));
}
/* --- the table -----------------------------------------------------------------------------------------------------
 */

static long look(hd_call *call)
{
    switch (call->number) {
    case SYS_stat:
        return hd_on_stat(call, AT_FDCWD, hd_call_text(call, 0), 0, (void *)hd_call_argument(call, 1));
    case SYS_lstat:
        return hd_on_stat(
            call, AT_FDCWD, hd_call_text(call, 0), AT_SYMLINK_NOFOLLOW, (void *)hd_call_argument(call, 1));
    case SYS_fstat:
        return hd_on_stat(call, hd_call_descriptor(call, 0), NULL, AT_EMPTY_PATH, (void *)hd_call_argument(call, 1));
    case SYS_newfstatat:
        return hd_on_stat(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 3),
            (void *)hd_call_argument(call, 2));
    case SYS_statx:
        return hd_on_stat(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2),
            (void *)hd_call_argument(call, 4));
    case SYS_access:
        return hd_on_access(AT_FDCWD, hd_call_text(call, 0), hd_call_argument(call, 1), 0);
    case SYS_faccessat:
        return hd_on_access(hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2), 0);
    case SYS_faccessat2:
        return hd_on_access(
            hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2), hd_call_argument(call, 3));
    case SYS_readlink:
        return hd_on_readlink(
            AT_FDCWD, hd_call_text(call, 0), (char *)hd_call_argument(call, 1), hd_call_argument(call, 2));
    case SYS_readlinkat:
        return hd_on_readlink(hd_call_descriptor(call, 0), hd_call_text(call, 1), (char *)hd_call_argument(call, 2),
            hd_call_argument(call, 3));
    case SYS_getcwd:
        return hd_on_getcwd((char *)hd_call_argument(call, 0), hd_call_argument(call, 1));
    case SYS_statfs:
        return hd_on_statfs(AT_FDCWD, hd_call_text(call, 0), 0, (void *)hd_call_argument(call, 1));
    case SYS_fstatfs:
        return hd_on_statfs(hd_call_descriptor(call, 0), NULL, AT_EMPTY_PATH, (void *)hd_call_argument(call, 1));
    case SYS_getxattr:
    case SYS_listxattr:
        return hd_on_attributes(call, AT_FDCWD, hd_call_text(call, 0), 0);
    case SYS_lgetxattr:
        return hd_on_attributes(call, AT_FDCWD, hd_call_text(call, 0), AT_SYMLINK_NOFOLLOW);
    case SYS_fgetxattr:
    case SYS_flistxattr:
        return hd_on_attributes(call, hd_call_descriptor(call, 0), NULL, AT_EMPTY_PATH);
    case SYS_chdir:
        return hd_on_chdir(AT_FDCWD, hd_call_text(call, 0), 0);
    case SYS_fchdir:
        return hd_on_chdir(hd_call_descriptor(call, 0), NULL, AT_EMPTY_PATH);
    default:
        hd_assert(0);
        return 0;
    }
}

static long change_names(hd_call *call)
{
    switch (call->number) {
    case SYS_mkdir:
        return hd_on_mkdir(call, AT_FDCWD, hd_call_text(call, 0), hd_call_argument(call, 1));
    case SYS_mknod:
        return hd_on_mknod(call, AT_FDCWD, hd_call_text(call, 0), hd_call_argument(call, 1));
    case SYS_mknodat:
        return hd_on_mknod(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2));
    case SYS_mkdirat:
        return hd_on_mkdir(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2));
    case SYS_unlink:
        return hd_on_unlink(call, AT_FDCWD, hd_call_text(call, 0));
    case SYS_rmdir:
        return hd_on_rmdir(call, AT_FDCWD, hd_call_text(call, 0));
    case SYS_unlinkat:
        return hd_on_unlinkat(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2));
    case SYS_symlink:
        return hd_on_symlink(call, hd_call_text(call, 0), AT_FDCWD, hd_call_text(call, 1));
    case SYS_symlinkat:
        return hd_on_symlink(call, hd_call_text(call, 0), hd_call_descriptor(call, 1), hd_call_text(call, 2));
    case SYS_link:
        return hd_on_link(call, AT_FDCWD, hd_call_text(call, 0), AT_FDCWD, hd_call_text(call, 1), 0);
    case SYS_linkat:
        return hd_on_link(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_descriptor(call, 2),
            hd_call_text(call, 3), hd_call_argument(call, 4));
    case SYS_rename:
        return hd_on_rename(call, AT_FDCWD, hd_call_text(call, 0), AT_FDCWD, hd_call_text(call, 1), 0);
    case SYS_renameat:
        return hd_on_rename(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_descriptor(call, 2),
            hd_call_text(call, 3), 0);
    case SYS_renameat2:
        return hd_on_rename(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_descriptor(call, 2),
            hd_call_text(call, 3), hd_call_argument(call, 4));
    default:
        hd_assert(0);
        return 0;
    }
}

static long change(hd_call *call)
{
    switch (call->number) {
    case SYS_chmod:
        return hd_on_chmod(call, AT_FDCWD, hd_call_text(call, 0), hd_call_argument(call, 1), 0);
    case SYS_fchmod:
        return hd_on_chmod(call, hd_call_descriptor(call, 0), NULL, hd_call_argument(call, 1), AT_EMPTY_PATH);
    case SYS_fchmodat:
        return hd_on_chmod(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2), 0);
    case SYS_chown:
        return hd_on_chown(
            call, AT_FDCWD, hd_call_text(call, 0), hd_call_argument(call, 1), hd_call_argument(call, 2), 0);
    case SYS_lchown:
        return hd_on_chown(call, AT_FDCWD, hd_call_text(call, 0), hd_call_argument(call, 1), hd_call_argument(call, 2),
            AT_SYMLINK_NOFOLLOW);
    case SYS_fchown:
        return hd_on_chown(call, hd_call_descriptor(call, 0), NULL, hd_call_argument(call, 1),
            hd_call_argument(call, 2), AT_EMPTY_PATH);
    case SYS_fchownat:
        return hd_on_chown(call, hd_call_descriptor(call, 0), hd_call_text(call, 1), hd_call_argument(call, 2),
            hd_call_argument(call, 3), hd_call_argument(call, 4));
    case SYS_utime:
        return hd_on_old_utime(call, hd_call_text(call, 0), (const void *)hd_call_argument(call, 1));
    case SYS_utimes:
        return hd_on_utimes(call, AT_FDCWD, hd_call_text(call, 0), (const void *)hd_call_argument(call, 1));
    case SYS_futimesat:
        return hd_on_utimes(
            call, hd_call_descriptor(call, 0), hd_call_text(call, 1), (const void *)hd_call_argument(call, 2));
    case SYS_utimensat:
        return hd_on_utime(call, hd_call_descriptor(call, 0), hd_call_text(call, 1),
            (const void *)hd_call_argument(call, 2), hd_call_argument(call, 3));
    case SYS_truncate:
        return hd_on_truncate(call, hd_call_text(call, 0), (int64_t)hd_call_argument(call, 1));
    case SYS_ftruncate:
    case SYS_fallocate:
        return hd_on_size(call);
    default:
        return change_names(call);
    }
}

long hd_overlay_look(hd_call *call)
{
    return has_no_room(call) ? 0 : answer(look(call));
}

long hd_overlay_change(hd_call *call)
{
    return has_no_room(call) || hd_kernel_is_too_much(call) ? 0 : answer(change(call));
}
