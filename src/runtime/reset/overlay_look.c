/* System calls that look at files, and the working directory, with the results that Linux gives. */
#include "runtime/reset/overlay_calls_internal.h"

#include "runtime/core/system.h"
#include "runtime/reset/rewind.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

static void give(void *to, const void *from, size_t size)
{
    hd_rewind_open((uint64_t)to, size);
    memcpy(to, from, size);
}

static struct statx_timestamp timestamp(struct timespec t)
{
    return (struct statx_timestamp) { .tv_sec = t.tv_sec, .tv_nsec = (uint32_t)t.tv_nsec };
}

static void give_extended(void *to, const struct stat *from)
{
    struct statx s = { .stx_mask = STATX_BASIC_STATS,
        .stx_blksize = (uint32_t)from->st_blksize,
        .stx_nlink = (uint32_t)from->st_nlink,
        .stx_uid = from->st_uid,
        .stx_gid = from->st_gid,
        .stx_mode = (uint16_t)from->st_mode,
        .stx_ino = from->st_ino,
        .stx_size = (uint64_t)from->st_size,
        .stx_blocks = (uint64_t)from->st_blocks,
        .stx_atime = timestamp(from->st_atim),
        .stx_mtime = timestamp(from->st_mtim),
        .stx_ctime = timestamp(from->st_ctim),
        .stx_dev_major = major(from->st_dev),
        .stx_dev_minor = minor(from->st_dev) };
    give(to, &s, sizeof s);
}

/* The call about what is on the disk, with its path. */
static long ask_disk(hd_call *call, uint64_t flags, void *to)
{
    const char *path = hd_call_first.object.path;
    hd_rewind_open((uint64_t)to, sizeof(struct statx));
    if (call->number == SYS_statx)
        return hd_system(SYS_statx, (long)AT_FDCWD, path, hd_call_argument(call, 2), hd_call_argument(call, 3), to);
    return hd_system(SYS_newfstatat, (long)AT_FDCWD, path, to, (long)(flags & AT_SYMLINK_NOFOLLOW));
}

long hd_on_stat(hd_call *call, int from, const char *path, uint64_t flags, void *to)
{
    struct stat status;
    int is_descriptor = (flags & AT_EMPTY_PATH) && (!path || !*path);
    long error = hd_call_find(from, path, flags);
    if (error)
        return error;
    if (!hd_call_first.object.node)
        return is_descriptor ? hd_kernel_perform(call) : ask_disk(call, flags, to);
    hd_overlay_status(hd_call_first.object.node, &status);
    if (call->number == SYS_statx)
        give_extended(to, &status);
    else
        give(to, &status, sizeof status);
    return 0;
}

long hd_overlay_stat(const char *path, struct stat *to, int flags)
{
    if (!hd_overlay_is_on() || hd_overlay_is_clean())
        return hd_disk_status_as(path, to, flags);
    long error = hd_call_find(AT_FDCWD, path, (uint64_t)flags);
    if (error)
        return error;
    if (!hd_call_first.object.node)
        return hd_disk_status_as(hd_call_first.object.path, to, flags);
    hd_overlay_status(hd_call_first.object.node, to);
    return 0;
}

long hd_overlay_fstat(int fd, struct stat *to)
{
    long error = hd_system(SYS_fstat, (long)fd, to);
    const hd_node *n = error || hd_overlay_is_clean() ? NULL : hd_overlay_find(to->st_dev, to->st_ino);
    if (n)
        hd_overlay_status(n, to);
    return error;
}

long hd_on_access(int from, const char *path, uint64_t wanted, uint64_t flags)
{
    long error = hd_call_find(from, path, flags);
    if (wanted & ~(uint64_t)(R_OK | W_OK | X_OK))
        return -EINVAL;
    if (error)
        return error;
    return wanted || !hd_call_first.object.node
        ? hd_overlay_permits(&hd_call_first.object, (int)wanted, (flags & AT_EACCESS) != 0)
        : 0;
}

long hd_overlay_access(const char *path, int wanted)
{
    if (!hd_overlay_is_on() || hd_overlay_is_clean())
        return hd_system(SYS_faccessat2, (long)AT_FDCWD, path, (long)wanted, (long)AT_EACCESS);
    return hd_on_access(AT_FDCWD, path, (uint64_t)wanted, AT_EACCESS);
}

long hd_on_readlink(int from, const char *path, char *to, uint64_t size)
{
    long error = hd_call_find(from, path, AT_SYMLINK_NOFOLLOW);
    if ((int)size <= 0)
        return -EINVAL;
    if (error)
        return error;
    hd_rewind_open((uint64_t)to, size);
    const hd_node *n = hd_call_first.object.node;
    if (!n)
        return hd_system(SYS_readlink, hd_call_first.object.path, to, size);
    if (!S_ISLNK(n->mode))
        return -EINVAL;
    size_t length = strlen(n->text) < size ? strlen(n->text) : size;
    memcpy(to, n->text, length);
    return (long)length;
}

long hd_on_getcwd(char *to, uint64_t size)
{
    long error = hd_overlay_descriptor(&hd_call_first.object, AT_FDCWD);
    hd_rewind_open((uint64_t)to, size);
    return error ? error : hd_overlay_path(&hd_call_first.object, to, size);
}

/* The file system is that of the next directory above that is on the disk. */
long hd_on_statfs(int from, const char *path, uint64_t flags, void *to)
{
    enum { ROOM = 256 };
    long error = hd_call_find(from, path, flags);
    const hd_node *n = hd_call_first.object.node;
    if (error)
        return error;
    while (n && n->parent && !*hd_call_first.object.path) {
        strcpy(hd_call_first.object.path, n->parent->text ? n->parent->text : "");
        n = n->parent;
    }
    hd_rewind_open((uint64_t)to, ROOM);
    return hd_system(SYS_statfs, *hd_call_first.object.path ? hd_call_first.object.path : "/", to);
}

/* Extended attributes of the disk; what is not there has none. */
long hd_on_attributes(hd_call *call, int from, const char *path, uint64_t flags)
{
    int lists = call->number == SYS_listxattr || call->number == SYS_flistxattr;
    long error = hd_call_find(from, path, flags);
    if (error)
        return error;
    if (!*hd_call_first.object.path)
        return lists ? 0 : -ENODATA;
    hd_rewind_open(hd_call_argument(call, lists ? 1 : 2), hd_call_argument(call, lists ? 2 : 3));
    return hd_system(lists                ? SYS_listxattr
            : flags & AT_SYMLINK_NOFOLLOW ? SYS_lgetxattr
                                          : SYS_getxattr,
        hd_call_first.object.path, hd_call_argument(call, 1), hd_call_argument(call, 2), hd_call_argument(call, 3));
}
/* --- the working directory ---------------------------------------------------------------------------------- */

static long go_to(const hd_spot *s)
{
    if (!hd_spot_is_outside(s) && !hd_spot_is_directory(s))
        return -ENOTDIR;
    long error = s->node ? hd_overlay_permits(s, X_OK, 1) : hd_system(SYS_chdir, s->path);
    hd_disk_moved();
    if (!error)
        hd_overlay_here = s->node;
    return error;
}

long hd_on_chdir(int from, const char *path, uint64_t flags)
{
    long error = hd_call_find(from, path, flags);
    return error ? error : go_to(&hd_call_first.object);
}
