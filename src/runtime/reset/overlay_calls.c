/* System calls on files, with the results that Linux gives. */
#include "runtime/reset/overlay_internal.h"

#include "runtime/core/assert.h"
#include "runtime/core/state.h"
#include "runtime/core/system.h"
#include "runtime/reset/rewind.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

enum { ENDED = HD_OVERLAY_ENDED, PERMISSIONS = 07777 };

/* What the call is about; the second one is the new name of a call with two. Not on the stack: they are large. */
static hd_place first, second;

static uint64_t argument(const hd_call *call, int i)
{
    return call->arguments[i];
}

static int descriptor(const hd_call *call, int i)
{
    return (int)call->arguments[i];
}

static const char *text(const hd_call *call, int i)
{
    return (const char *)call->arguments[i];
}

static long need_real(hd_call *call, const char *what)
{
    hd_kernel_end(call, HD_NEEDS_FORK, what);
    return ENDED;
}

static uint32_t user(void)
{
    return (uint32_t)hd_system(SYS_geteuid);
}

/* --- finding what a call is about -------------------------------------------------------------- */

/* The kernel has to resolve the path: it leads into /proc. */
static int is_outside(const hd_spot *s)
{
    return !s->node && !s->at.st_mode;
}

static int is_directory(const hd_spot *s)
{
    return S_ISDIR(hd_spot_mode(s));
}

static long walk(hd_call *call, hd_place *p, int from, const char *path, int follows)
{
    long error = path ? hd_overlay_walk(p, from, path, follows) : -EFAULT;
    if (!error && p->is_there && is_outside(&p->object))
        return need_real(call, "a file of the kernel is changed");
    return error;
}

/* Finds something that must exist; `flags` are AT_…. */
static long find(int from, const char *path, uint64_t flags)
{
    if ((flags & AT_EMPTY_PATH) && (!path || !*path))
        return hd_overlay_descriptor(&first.object, from);
    if (!path)
        return -EFAULT;
    long error = hd_overlay_walk(&first, from, path, !(flags & AT_SYMLINK_NOFOLLOW));
    if (error || !first.is_there)
        return error ? error : -ENOENT;
    return first.has_slash && !is_outside(&first.object) && !is_directory(&first.object) ? -ENOTDIR : 0;
}

/* The same for a call that changes it: makes its node. */
static long find_node(hd_call *call, int from, const char *path, uint64_t flags)
{
    long error = find(from, path, flags);
    if (error)
        return error;
    if (!first.object.node && !S_ISREG(first.object.at.st_mode) && !is_directory(&first.object)
        && !S_ISLNK(first.object.at.st_mode) && !S_ISFIFO(first.object.at.st_mode))
        return need_real(call, "something other than a file is changed");
    hd_overlay_node(&first.object);
    return 0;
}

/* --- looking ------------------------------------------------------------------------------------- */

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
    const char *path = first.object.path;
    hd_rewind_open((uint64_t)to, sizeof(struct statx));
    if (call->number == SYS_statx)
        return hd_system(SYS_statx, (long)AT_FDCWD, path, argument(call, 2), argument(call, 3), to);
    return hd_system(SYS_newfstatat, (long)AT_FDCWD, path, to, (long)(flags & AT_SYMLINK_NOFOLLOW));
}

static long on_stat(hd_call *call, int from, const char *path, uint64_t flags, void *to)
{
    struct stat status;
    int is_descriptor = (flags & AT_EMPTY_PATH) && (!path || !*path);
    long error = find(from, path, flags);
    if (error)
        return error;
    if (!first.object.node)
        return is_descriptor ? hd_kernel_perform(call) : ask_disk(call, flags, to);
    hd_overlay_status(first.object.node, &status);
    if (call->number == SYS_statx)
        give_extended(to, &status);
    else
        give(to, &status, sizeof status);
    return 0;
}

long hd_overlay_stat(const char *path, struct stat *to, int flags)
{
    if (!hd_overlay_is_on() || hd_overlay_is_clean())
        return hd_system(SYS_newfstatat, (long)AT_FDCWD, path, to, (long)flags);
    long error = find(AT_FDCWD, path, (uint64_t)flags);
    if (error)
        return error;
    if (!first.object.node)
        return hd_system(SYS_newfstatat, (long)AT_FDCWD, first.object.path, to, (long)flags);
    hd_overlay_status(first.object.node, to);
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

static long on_access(int from, const char *path, uint64_t wanted, uint64_t flags)
{
    long error = find(from, path, flags);
    if (wanted & ~(uint64_t)(R_OK | W_OK | X_OK))
        return -EINVAL;
    if (error)
        return error;
    return wanted || !first.object.node ? hd_overlay_permits(&first.object, (int)wanted, (flags & AT_EACCESS) != 0) : 0;
}

long hd_overlay_access(const char *path, int wanted)
{
    if (!hd_overlay_is_on() || hd_overlay_is_clean())
        return hd_system(SYS_faccessat2, (long)AT_FDCWD, path, (long)wanted, (long)AT_EACCESS);
    return on_access(AT_FDCWD, path, (uint64_t)wanted, AT_EACCESS);
}

static long on_readlink(int from, const char *path, char *to, uint64_t size)
{
    long error = find(from, path, AT_SYMLINK_NOFOLLOW);
    if ((int)size <= 0)
        return -EINVAL;
    if (error)
        return error;
    hd_rewind_open((uint64_t)to, size);
    const hd_node *n = first.object.node;
    if (!n)
        return hd_system(SYS_readlink, first.object.path, to, size);
    if (!S_ISLNK(n->mode))
        return -EINVAL;
    size_t length = strlen(n->text) < size ? strlen(n->text) : size;
    memcpy(to, n->text, length);
    return (long)length;
}

static long on_getcwd(char *to, uint64_t size)
{
    long error = hd_overlay_descriptor(&first.object, AT_FDCWD);
    hd_rewind_open((uint64_t)to, size);
    return error ? error : hd_overlay_path(&first.object, to, size);
}

/* The file system is that of the next directory above that is on the disk. */
static long on_statfs(int from, const char *path, uint64_t flags, void *to)
{
    enum { ROOM = 256 };
    long error = find(from, path, flags);
    const hd_node *n = first.object.node;
    if (error)
        return error;
    while (n && n->parent && !*first.object.path) {
        strcpy(first.object.path, n->parent->text ? n->parent->text : "");
        n = n->parent;
    }
    hd_rewind_open((uint64_t)to, ROOM);
    return hd_system(SYS_statfs, *first.object.path ? first.object.path : "/", to);
}

/* Extended attributes of the disk; what is not there has none. */
static long on_attributes(hd_call *call, int from, const char *path, uint64_t flags)
{
    int lists = call->number == SYS_listxattr || call->number == SYS_flistxattr;
    long error = find(from, path, flags);
    if (error)
        return error;
    if (!*first.object.path)
        return lists ? 0 : -ENODATA;
    hd_rewind_open(argument(call, lists ? 1 : 2), argument(call, lists ? 2 : 3));
    return hd_system(lists                ? SYS_listxattr
            : flags & AT_SYMLINK_NOFOLLOW ? SYS_lgetxattr
                                          : SYS_getxattr,
        first.object.path, argument(call, 1), argument(call, 2), argument(call, 3));
}

/* --- names ---------------------------------------------------------------------------------------- */

/* May names be made in the directory and removed from it? */
static long is_writable(hd_call *call, const hd_spot *directory)
{
    if (directory->node && !directory->node->links)
        return -ENOENT;
    if (!directory->node && hd_overlay_is_special(directory->path))
        return need_real(call, "a file of the kernel is made or removed");
    return hd_overlay_permits(directory, W_OK | X_OK, 1);
}

/* In a directory with the sticky bit, only the owner removes a name. */
static long is_removable(hd_call *call, const hd_place *p)
{
    const hd_spot *d = &p->directory, *o = &p->object;
    long error = is_writable(call, d);
    if (error || !(hd_spot_mode(d) & S_ISVTX))
        return error;
    uint32_t me = user(), of_directory = d->node ? d->node->owner : d->at.st_uid;
    uint32_t of_object = o->node ? o->node->owner : o->at.st_uid;
    return me && me != of_directory && me != of_object ? -EPERM : 0;
}

/* A directory has a link from each of its directories, on most file systems. */
static void count_directory(hd_node *parent, int more)
{
    if (parent->links >= 2)
        parent->links += (uint32_t)more;
}

/* A new node with the name of `p`, where nothing is yet. NULL: *error says why not. */
static hd_node *make(hd_call *call, hd_place *p, uint32_t mode, long *error)
{
    *error = is_writable(call, &p->directory);
    if (*error)
        return NULL;
    hd_node *d = hd_overlay_node(&p->directory), *n = hd_overlay_make(mode, d->device);
    if (d->mode & S_ISGID) {
        n->group = d->group;
        n->mode |= S_ISDIR(mode) ? S_ISGID : 0;
    }
    hd_overlay_enter(d, p->name, n);
    if (S_ISDIR(mode))
        count_directory(d, 1);
    return n;
}

static uint32_t without_umask(uint64_t mode)
{
    long mask = hd_system(SYS_umask, 0l);
    hd_system(SYS_umask, mask);
    return (uint32_t)(mode & ~(uint64_t)mask);
}

static long on_mkdir(hd_call *call, int from, const char *path, uint64_t mode)
{
    long error = walk(call, &first, from, path, 0);
    if (error)
        return error;
    if (first.is_there)
        return -EEXIST;
    make(call, &first, S_IFDIR | without_umask(mode & (S_ISVTX | 0777)), &error);
    return error;
}

/* Devices and sockets are left to the disk. */
static long on_mknod(hd_call *call, int from, const char *path, uint64_t mode)
{
    uint32_t type = mode & S_IFMT ? (uint32_t)mode & S_IFMT : S_IFREG;
    if (type == S_IFDIR)
        return -EPERM;
    if (type != S_IFIFO && type != S_IFREG)
        return need_real(call, "mknod makes a device or a socket");
    long error = walk(call, &first, from, path, 0);
    if (error)
        return error;
    if (first.is_there || first.has_slash)
        return first.is_there ? -EEXIST : -ENOENT;
    hd_node *n = make(call, &first, type | without_umask(mode & PERMISSIONS), &error);
    return n && type == S_IFREG ? hd_overlay_fill(call, n, 0) : error;
}

static long on_symlink(hd_call *call, const char *target, int from, const char *path)
{
    if (!target || !*target || strlen(target) >= PATH_MAX)
        return !target ? -EFAULT : *target ? -ENAMETOOLONG : -ENOENT;
    long error = walk(call, &first, from, path, 0);
    if (error)
        return error;
    if (first.is_there || first.has_slash)
        return first.is_there ? -EEXIST : -ENOENT;
    hd_node *n = make(call, &first, S_IFLNK | 0777, &error);
    if (n)
        n->text = hd_overlay_keep(target);
    return error;
}

/* The name of `p` leads to nothing any more. */
static void remove_name(hd_place *p)
{
    hd_node *d = hd_overlay_node(&p->directory), *n = hd_overlay_node(&p->object);
    hd_overlay_enter(d, p->name, NULL);
    if (S_ISDIR(n->mode))
        count_directory(d, -1);
    n->links = S_ISDIR(n->mode) ? 0 : n->links - 1;
    n->changed = hd_overlay_now();
}

static int is_dot(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

static int is_root(const char *path)
{
    return *path == '/' && !path[strspn(path, "/")];
}

static long on_unlink(hd_call *call, int from, const char *path)
{
    long error = walk(call, &first, from, path, 0);
    if (error)
        return error;
    if (is_dot(first.name))
        return -EISDIR;
    if (!first.is_there)
        return -ENOENT;
    if ((error = is_removable(call, &first)))
        return error;
    if (is_directory(&first.object))
        return -EISDIR;
    if (first.has_slash)
        return -ENOTDIR;
    remove_name(&first);
    return 0;
}

static long on_rmdir(hd_call *call, int from, const char *path)
{
    long error = walk(call, &first, from, path, 0);
    if (error)
        return error;
    if (is_dot(first.name))
        return is_root(path) ? -EBUSY : first.name[1] ? -ENOTEMPTY : -EINVAL;
    if (!first.is_there)
        return -ENOENT;
    if ((error = is_removable(call, &first)))
        return error;
    if (!is_directory(&first.object))
        return -ENOTDIR;
    if (!hd_overlay_is_empty(&first.object))
        return -ENOTEMPTY;
    remove_name(&first);
    return 0;
}

static long on_unlinkat(hd_call *call, int from, const char *path, uint64_t flags)
{
    if (flags & ~(uint64_t)AT_REMOVEDIR)
        return -EINVAL;
    return flags ? on_rmdir(call, from, path) : on_unlink(call, from, path);
}

/* --- links and other names ------------------------------------------------------------------------------ */

static int is_same(const hd_spot *a, const hd_spot *b)
{
    if (a->node || b->node)
        return a->node == b->node;
    return a->at.st_dev == b->at.st_dev && a->at.st_ino == b->at.st_ino;
}

static long on_link(hd_call *call, int from, const char *path, int to_from, const char *to, uint64_t flags)
{
    if (flags & ~(uint64_t)AT_SYMLINK_FOLLOW)
        return flags & AT_EMPTY_PATH ? need_real(call, "linkat names a descriptor") : -EINVAL;
    long error = walk(call, &first, from, path, flags != 0);
    if (error || !first.is_there)
        return error ? error : -ENOENT;
    if ((error = walk(call, &second, to_from, to, 0)))
        return error;
    if (second.is_there || second.has_slash)
        return second.is_there ? -EEXIST : -ENOENT;
    if (hd_spot_device(&first.object) != hd_spot_device(&second.directory))
        return -EXDEV;
    if ((error = is_writable(call, &second.directory)))
        return error;
    if (is_directory(&first.object))
        return -EPERM;
    hd_node *n = hd_overlay_node(&first.object);
    n->links++;
    n->changed = hd_overlay_now();
    hd_overlay_enter(hd_overlay_node(&second.directory), second.name, n);
    return 0;
}

/* Is the directory `inner` the directory `outer`, or below it? */
static int is_below(const hd_spot *inner, const hd_spot *outer)
{
    static char a[PATH_MAX], b[PATH_MAX];
    if (hd_overlay_path(inner, a, sizeof a) < 0 || hd_overlay_path(outer, b, sizeof b) < 0)
        return 0;
    size_t length = strlen(b);
    return !strncmp(a, b, length) && (!a[length] || a[length] == '/');
}

/* May `second` be replaced by `first`? */
static long fits(const hd_place *old, const hd_place *new, uint64_t flags)
{
    int moves_directory = is_directory(&old->object);
    if (!moves_directory && (old->has_slash || new->has_slash))
        return -ENOTDIR;
    if (!new->is_there)
        return 0;
    if (flags & RENAME_NOREPLACE)
        return -EEXIST;
    if (moves_directory != is_directory(&new->object))
        return moves_directory ? -ENOTDIR : -EISDIR;
    return moves_directory && !hd_overlay_is_empty(&new->object) ? -ENOTEMPTY : 0;
}

static long check_rename(hd_call *call, uint64_t flags)
{
    if (is_dot(first.name) || is_dot(second.name))
        return flags & RENAME_NOREPLACE ? -EEXIST : -EBUSY;
    if (!first.is_there)
        return -ENOENT;
    if (hd_spot_device(&first.directory) != hd_spot_device(&second.directory))
        return -EXDEV;
    if (is_directory(&first.object) && is_below(&second.directory, &first.object))
        return -EINVAL;
    long error = is_removable(call, &first);
    if (!error)
        error = second.is_there ? is_removable(call, &second) : is_writable(call, &second.directory);
    return error ? error : fits(&first, &second, flags);
}

static long on_rename(hd_call *call, int from, const char *path, int to_from, const char *to, uint64_t flags)
{
    if (flags & ~(uint64_t)RENAME_NOREPLACE)
        return need_real(call, "renameat2 exchanges names");
    long error = walk(call, &first, from, path, 0);
    if (!error)
        error = walk(call, &second, to_from, to, 0);
    if (!error)
        error = check_rename(call, flags);
    if (error)
        return error;
    if (second.is_there && is_same(&first.object, &second.object))
        return 0;
    hd_node *n = hd_overlay_node(&first.object), *directory = hd_overlay_node(&first.directory);
    hd_node *to_directory = hd_overlay_node(&second.directory);
    if (second.is_there)
        remove_name(&second);
    hd_overlay_enter(directory, first.name, NULL);
    hd_overlay_enter(to_directory, second.name, n);
    if (S_ISDIR(n->mode)) {
        count_directory(directory, -1);
        count_directory(to_directory, 1);
    }
    n->changed = hd_overlay_now();
    return 0;
}

/* --- attributes and sizes -------------------------------------------------------------------------------- */

static long is_owner(const hd_node *n)
{
    uint32_t me = user();
    return me && me != n->owner ? -EPERM : 0;
}

static long on_chmod(hd_call *call, int from, const char *path, uint64_t mode, uint64_t flags)
{
    long error = find_node(call, from, path, flags);
    hd_node *n = first.object.node;
    if (error)
        return error;
    if (S_ISLNK(n->mode))
        return -EOPNOTSUPP;
    if ((error = is_owner(n)))
        return error;
    n->mode = (n->mode & S_IFMT) | (uint32_t)(mode & PERMISSIONS);
    n->changed = hd_overlay_now();
    return 0;
}

/* Only the super-user gives files away. */
static long on_chown(hd_call *call, int from, const char *path, uint64_t owner, uint64_t group, uint64_t flags)
{
    long error = find_node(call, from, path, flags);
    hd_node *n = first.object.node;
    if (error)
        return error;
    uint32_t new_owner = (int)owner == -1 ? n->owner : (uint32_t)owner;
    uint32_t new_group = (int)group == -1 ? n->group : (uint32_t)group;
    if (user() && (new_owner != n->owner || new_group != n->group))
        return -EPERM;
    n->owner = new_owner;
    n->group = new_group;
    n->changed = hd_overlay_now();
    return 0;
}

static void set_time(uint64_t *to, struct timespec t)
{
    if (t.tv_nsec == UTIME_NOW)
        *to = hd_overlay_now();
    else if (t.tv_nsec != UTIME_OMIT)
        *to = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int is_bad_time(struct timespec t)
{
    return t.tv_nsec != UTIME_NOW && t.tv_nsec != UTIME_OMIT && (t.tv_nsec < 0 || t.tv_nsec >= 1000000000);
}

static long on_utime(hd_call *call, int from, const char *path, const struct timespec *times, uint64_t flags)
{
    struct timespec now[2] = { { 0, UTIME_NOW }, { 0, UTIME_NOW } };
    if (times && (is_bad_time(times[0]) || is_bad_time(times[1])))
        return -EINVAL;
    long error = find_node(call, from, path, path ? flags : flags | AT_EMPTY_PATH);
    hd_node *n = first.object.node;
    if (error)
        return error;
    if (is_owner(n) && (times || hd_overlay_permits(&first.object, W_OK, 1)))
        return times ? -EPERM : -EACCES;
    set_time(&n->accessed, times ? times[0] : now[0]);
    set_time(&n->modified, times ? times[1] : now[1]);
    n->changed = hd_overlay_now();
    return 0;
}

static long on_utimes(hd_call *call, int from, const char *path, const struct timeval *times)
{
    struct timespec t[2];
    for (int i = 0; i < 2 && times; i++)
        t[i] = (struct timespec) { times[i].tv_sec, times[i].tv_usec * 1000 };
    return on_utime(call, from, path, times ? t : NULL, 0);
}

static long on_old_utime(hd_call *call, const char *path, const struct utimbuf *times)
{
    struct timespec t[2];
    if (times) {
        t[0] = (struct timespec) { times->actime, 0 };
        t[1] = (struct timespec) { times->modtime, 0 };
    }
    return on_utime(call, AT_FDCWD, path, times ? t : NULL, 0);
}

static long on_truncate(hd_call *call, const char *path, int64_t size)
{
    if (size < 0)
        return -EINVAL;
    long error = find(AT_FDCWD, path, 0);
    if (error)
        return error;
    if (is_directory(&first.object))
        return -EISDIR;
    if (!S_ISREG(hd_spot_mode(&first.object)))
        return is_outside(&first.object) ? need_real(call, "a file of the kernel is changed") : -EINVAL;
    if ((error = hd_overlay_permits(&first.object, W_OK, 1)))
        return error;
    hd_node *n = hd_overlay_node(&first.object);
    error = hd_overlay_fill(call, n, size > 0);
    if (error)
        return error;
    hd_overlay_touch(n);
    return hd_system(SYS_ftruncate, (long)n->memory, size);
}

void hd_overlay_touch_fd(int fd)
{
    struct stat at;
    if (hd_overlay_is_clean() || hd_system(SYS_fstat, (long)fd, &at))
        return;
    hd_node *n = hd_overlay_find(at.st_dev, at.st_ino);
    if (n && n->memory >= 0)
        hd_overlay_touch(n);
}

/* ftruncate and fallocate: the kernel knows whether the descriptor is open for writing. */
static long on_size(hd_call *call)
{
    int fd = descriptor(call, 0);
    if (call->number == SYS_fallocate && hd_kernel_is_flooded(call, argument(call, 3)))
        return ENDED;
    if (!hd_files_is_opened(fd))
        return hd_kernel_refuse(call, "a descriptor that the process had before is changed");
    hd_overlay_touch_fd(fd);
    return hd_kernel_perform(call);
}

/* --- the working directory ---------------------------------------------------------------------------------- */

static long go_to(const hd_spot *s)
{
    if (!is_outside(s) && !is_directory(s))
        return -ENOTDIR;
    long error = s->node ? hd_overlay_permits(s, X_OK, 1) : hd_system(SYS_chdir, s->path);
    if (!error)
        hd_overlay_here = s->node;
    return error;
}

static long on_chdir(int from, const char *path, uint64_t flags)
{
    long error = find(from, path, flags);
    return error ? error : go_to(&first.object);
}

/* --- opening --------------------------------------------------------------------------------------------------- */

static int wanted_by(uint64_t flags)
{
    static const int by_access[] = { R_OK, W_OK, R_OK | W_OK, R_OK | W_OK };
    return by_access[flags & O_ACCMODE] | (flags & O_TRUNC ? W_OK : 0);
}

static long open_on_disk(hd_call *call, uint64_t flags)
{
    return hd_files_opened(
        call, hd_system(SYS_open, first.object.path, (long)(flags & ~(uint64_t)(O_CREAT | O_EXCL)), 0l));
}

static long open_file(hd_call *call, uint64_t flags)
{
    hd_spot *s = &first.object;
    int changes = (wanted_by(flags) & W_OK) && !(flags & O_PATH);
    if (first.has_slash || (flags & O_DIRECTORY))
        return -ENOTDIR;
    long error = flags & O_PATH ? 0 : hd_overlay_permits(s, wanted_by(flags), 1);
    if (error)
        return error;
    if (changes && (error = hd_overlay_fill(call, hd_overlay_node(s), !(flags & O_TRUNC))))
        return error;
    if (flags & O_TRUNC)
        hd_overlay_touch(hd_overlay_node(s));
    return s->node && s->node->memory >= 0 ? hd_files_opened(call, hd_files_reopen(s->node->memory, flags))
                                           : open_on_disk(call, flags);
}

static long open_directory(hd_call *call, uint64_t flags)
{
    hd_spot *s = &first.object;
    if ((flags & O_CREAT) || (wanted_by(flags) & W_OK))
        return -EISDIR;
    if (s->node && hd_overlay_permits(s, R_OK, 1))
        return -EACCES;
    return *s->path ? open_on_disk(call, flags) : hd_overlay_open_directory(call, s->node, flags);
}

/* null, zero and full keep nothing. */
static int keeps_nothing(const hd_spot *s)
{
    dev_t d = s->at.st_rdev;
    return !s->node && S_ISCHR(s->at.st_mode) && major(d) == 1 && (minor(d) == 3 || minor(d) == 5 || minor(d) == 7);
}

static long open_object(hd_call *call, uint64_t flags)
{
    const hd_spot *s = &first.object;
    if (S_ISREG(hd_spot_mode(s)))
        return open_file(call, flags);
    if (is_directory(s))
        return open_directory(call, flags);
    if (s->node && S_ISLNK(s->node->mode))
        return flags & O_PATH ? need_real(call, "a symbolic link is opened") : flags & O_DIRECTORY ? -ENOTDIR : -ELOOP;
    if (S_ISFIFO(hd_spot_mode(s)) && (first.has_slash || (flags & O_DIRECTORY)))
        return -ENOTDIR;
    if (S_ISFIFO(hd_spot_mode(s)) && (!(flags & O_PATH) || !*s->path)) {
        hd_kernel_end(call, HD_MODEL_LIMIT, "a FIFO is opened by a function that heddle does not model");
        return ENDED;
    }
    if ((wanted_by(flags) & W_OK) && !keeps_nothing(s))
        return hd_kernel_change(call, "a device is opened for writing");
    return open_on_disk(call, flags);
}

static long open_new(hd_call *call, hd_node *n, uint64_t flags)
{
    long error = hd_overlay_fill(call, n, 0);
    return error ? error : hd_files_opened(call, hd_files_reopen(n->memory, flags));
}

/* A file without a name. */
static long open_nameless(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode)
{
    if (!(wanted_by(flags) & W_OK))
        return -EINVAL;
    long error = find(from, path, 0);
    if (!error && !is_directory(&first.object))
        error = -ENOTDIR;
    if (!error)
        error = is_writable(call, &first.object);
    if (error)
        return error;
    hd_node *n = hd_overlay_make(S_IFREG | without_umask(mode & PERMISSIONS), hd_spot_device(&first.object));
    n->links = 0;
    return open_new(call, n, flags & ~(uint64_t)O_TMPFILE);
}

static long create(hd_call *call, uint64_t flags, uint64_t mode)
{
    long error;
    if (first.has_slash)
        return -EISDIR;
    hd_node *n = make(call, &first, S_IFREG | without_umask(mode & PERMISSIONS), &error);
    return n ? open_new(call, n, flags) : error;
}

static long open_path(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode)
{
    int excludes = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
    if ((flags & O_TMPFILE) == O_TMPFILE)
        return open_nameless(call, from, path, flags, mode);
    if ((flags & O_CREAT) && (flags & O_DIRECTORY))
        return -EINVAL;
    long error = hd_overlay_walk(&first, from, path, !(flags & O_NOFOLLOW) && !excludes);
    if (error)
        return error;
    if (!first.is_there)
        return flags & O_CREAT ? create(call, flags, mode) : -ENOENT;
    return excludes ? -EEXIST : open_object(call, flags);
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
    return answer(open_path(call, from, path, flags, mode));
}

/* --- the table -----------------------------------------------------------------------------------------------------
 */

static long look(hd_call *call)
{
    switch (call->number) {
    case SYS_stat:
        return on_stat(call, AT_FDCWD, text(call, 0), 0, (void *)argument(call, 1));
    case SYS_lstat:
        return on_stat(call, AT_FDCWD, text(call, 0), AT_SYMLINK_NOFOLLOW, (void *)argument(call, 1));
    case SYS_fstat:
        return on_stat(call, descriptor(call, 0), NULL, AT_EMPTY_PATH, (void *)argument(call, 1));
    case SYS_newfstatat:
        return on_stat(call, descriptor(call, 0), text(call, 1), argument(call, 3), (void *)argument(call, 2));
    case SYS_statx:
        return on_stat(call, descriptor(call, 0), text(call, 1), argument(call, 2), (void *)argument(call, 4));
    case SYS_access:
        return on_access(AT_FDCWD, text(call, 0), argument(call, 1), 0);
    case SYS_faccessat:
        return on_access(descriptor(call, 0), text(call, 1), argument(call, 2), 0);
    case SYS_faccessat2:
        return on_access(descriptor(call, 0), text(call, 1), argument(call, 2), argument(call, 3));
    case SYS_readlink:
        return on_readlink(AT_FDCWD, text(call, 0), (char *)argument(call, 1), argument(call, 2));
    case SYS_readlinkat:
        return on_readlink(descriptor(call, 0), text(call, 1), (char *)argument(call, 2), argument(call, 3));
    case SYS_getcwd:
        return on_getcwd((char *)argument(call, 0), argument(call, 1));
    case SYS_statfs:
        return on_statfs(AT_FDCWD, text(call, 0), 0, (void *)argument(call, 1));
    case SYS_fstatfs:
        return on_statfs(descriptor(call, 0), NULL, AT_EMPTY_PATH, (void *)argument(call, 1));
    case SYS_getxattr:
    case SYS_listxattr:
        return on_attributes(call, AT_FDCWD, text(call, 0), 0);
    case SYS_lgetxattr:
        return on_attributes(call, AT_FDCWD, text(call, 0), AT_SYMLINK_NOFOLLOW);
    case SYS_fgetxattr:
    case SYS_flistxattr:
        return on_attributes(call, descriptor(call, 0), NULL, AT_EMPTY_PATH);
    case SYS_chdir:
        return on_chdir(AT_FDCWD, text(call, 0), 0);
    case SYS_fchdir:
        return on_chdir(descriptor(call, 0), NULL, AT_EMPTY_PATH);
    default:
        hd_assert(0);
        return 0;
    }
}

static long change_names(hd_call *call)
{
    switch (call->number) {
    case SYS_mkdir:
        return on_mkdir(call, AT_FDCWD, text(call, 0), argument(call, 1));
    case SYS_mknod:
        return on_mknod(call, AT_FDCWD, text(call, 0), argument(call, 1));
    case SYS_mknodat:
        return on_mknod(call, descriptor(call, 0), text(call, 1), argument(call, 2));
    case SYS_mkdirat:
        return on_mkdir(call, descriptor(call, 0), text(call, 1), argument(call, 2));
    case SYS_unlink:
        return on_unlink(call, AT_FDCWD, text(call, 0));
    case SYS_rmdir:
        return on_rmdir(call, AT_FDCWD, text(call, 0));
    case SYS_unlinkat:
        return on_unlinkat(call, descriptor(call, 0), text(call, 1), argument(call, 2));
    case SYS_symlink:
        return on_symlink(call, text(call, 0), AT_FDCWD, text(call, 1));
    case SYS_symlinkat:
        return on_symlink(call, text(call, 0), descriptor(call, 1), text(call, 2));
    case SYS_link:
        return on_link(call, AT_FDCWD, text(call, 0), AT_FDCWD, text(call, 1), 0);
    case SYS_linkat:
        return on_link(call, descriptor(call, 0), text(call, 1), descriptor(call, 2), text(call, 3), argument(call, 4));
    case SYS_rename:
        return on_rename(call, AT_FDCWD, text(call, 0), AT_FDCWD, text(call, 1), 0);
    case SYS_renameat:
        return on_rename(call, descriptor(call, 0), text(call, 1), descriptor(call, 2), text(call, 3), 0);
    case SYS_renameat2:
        return on_rename(
            call, descriptor(call, 0), text(call, 1), descriptor(call, 2), text(call, 3), argument(call, 4));
    default:
        hd_assert(0);
        return 0;
    }
}

static long change(hd_call *call)
{
    switch (call->number) {
    case SYS_chmod:
        return on_chmod(call, AT_FDCWD, text(call, 0), argument(call, 1), 0);
    case SYS_fchmod:
        return on_chmod(call, descriptor(call, 0), NULL, argument(call, 1), AT_EMPTY_PATH);
    case SYS_fchmodat:
        return on_chmod(call, descriptor(call, 0), text(call, 1), argument(call, 2), 0);
    case SYS_chown:
        return on_chown(call, AT_FDCWD, text(call, 0), argument(call, 1), argument(call, 2), 0);
    case SYS_lchown:
        return on_chown(call, AT_FDCWD, text(call, 0), argument(call, 1), argument(call, 2), AT_SYMLINK_NOFOLLOW);
    case SYS_fchown:
        return on_chown(call, descriptor(call, 0), NULL, argument(call, 1), argument(call, 2), AT_EMPTY_PATH);
    case SYS_fchownat:
        return on_chown(
            call, descriptor(call, 0), text(call, 1), argument(call, 2), argument(call, 3), argument(call, 4));
    case SYS_utime:
        return on_old_utime(call, text(call, 0), (const void *)argument(call, 1));
    case SYS_utimes:
        return on_utimes(call, AT_FDCWD, text(call, 0), (const void *)argument(call, 1));
    case SYS_futimesat:
        return on_utimes(call, descriptor(call, 0), text(call, 1), (const void *)argument(call, 2));
    case SYS_utimensat:
        return on_utime(call, descriptor(call, 0), text(call, 1), (const void *)argument(call, 2), argument(call, 3));
    case SYS_truncate:
        return on_truncate(call, text(call, 0), (int64_t)argument(call, 1));
    case SYS_ftruncate:
    case SYS_fallocate:
        return on_size(call);
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
