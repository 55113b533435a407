/* System calls that make, remove and move names. */
#include "runtime/reset/overlay_calls_internal.h"

#include "runtime/core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/syscall.h>

/* May names be made in the directory and removed from it? */
long hd_call_is_writable(hd_call *call, const hd_spot *directory)
{
    if (directory->node && !directory->node->links)
        return -ENOENT;
    if (!directory->node && hd_disk_is_special(directory->path))
        return hd_call_need_real(call, "a file of the kernel is made or removed");
    return hd_overlay_permits(directory, W_OK | X_OK, 1);
}

/* In a directory with the sticky bit, only the owner removes a name. */
static long is_removable(hd_call *call, const hd_place *p)
{
    const hd_spot *d = &p->directory, *o = &p->object;
    long error = hd_call_is_writable(call, d);
    if (error || !(hd_spot_mode(d) & S_ISVTX))
        return error;
    uint32_t me = hd_disk_user(1), of_directory = d->node ? d->node->owner : d->at.st_uid;
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
hd_node *hd_call_make(hd_call *call, hd_place *p, uint32_t mode, long *error)
{
    *error = hd_call_is_writable(call, &p->directory);
    if (*error)
        return NULL;
    hd_node *d = hd_overlay_node(&p->directory), *n = hd_overlay_make(mode, d->device);
    if (d->mode & S_ISGID) {
        n->group = d->group;
        n->mode |= S_ISDIR(mode) ? S_ISGID : 0;
    }
    hd_overlay_enter(d, p->name, n, NULL);
    if (S_ISDIR(mode))
        count_directory(d, 1);
    return n;
}

uint32_t hd_call_without_umask(uint64_t mode)
{
    return (uint32_t)mode & ~hd_disk_umask();
}

long hd_on_mkdir(hd_call *call, int from, const char *path, uint64_t mode)
{
    long error = hd_call_walk(call, &hd_call_first, from, path, 0);
    if (error)
        return error;
    if (hd_call_first.is_there)
        return -EEXIST;
    hd_call_make(call, &hd_call_first, S_IFDIR | hd_call_without_umask(mode & (S_ISVTX | 0777)), &error);
    return error;
}

/* Devices and sockets are left to the disk. */
long hd_on_mknod(hd_call *call, int from, const char *path, uint64_t mode)
{
    uint32_t type = mode & S_IFMT ? (uint32_t)mode & S_IFMT : S_IFREG;
    if (type == S_IFDIR)
        return -EPERM;
    if (type != S_IFIFO && type != S_IFREG)
        return hd_call_need_real(call, "mknod makes a device or a socket");
    long error = hd_call_walk(call, &hd_call_first, from, path, 0);
    if (error)
        return error;
    if (hd_call_first.is_there || hd_call_first.has_slash)
        return hd_call_first.is_there ? -EEXIST : -ENOENT;
    hd_node *n = hd_call_make(call, &hd_call_first, type | hd_call_without_umask(mode & PERMISSIONS), &error);
    return n && type == S_IFREG ? hd_overlay_fill(call, n, 0) : error;
}

long hd_on_symlink(hd_call *call, const char *target, int from, const char *path)
{
    if (!target || !*target || strlen(target) >= PATH_MAX)
        return !target ? -EFAULT : *target ? -ENAMETOOLONG : -ENOENT;
    long error = hd_call_walk(call, &hd_call_first, from, path, 0);
    if (error)
        return error;
    if (hd_call_first.is_there || hd_call_first.has_slash)
        return hd_call_first.is_there ? -EEXIST : -ENOENT;
    hd_node *n = hd_call_make(call, &hd_call_first, S_IFLNK | 0777, &error);
    if (n)
        n->text = hd_overlay_keep(target);
    return error;
}

/* The name of `p` leads to nothing any more. */
static void remove_name(hd_place *p)
{
    hd_node *d = hd_overlay_node(&p->directory), *n = hd_overlay_node(&p->object);
    hd_overlay_enter(d, p->name, NULL, n);
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

long hd_on_unlink(hd_call *call, int from, const char *path)
{
    long error = hd_call_walk(call, &hd_call_first, from, path, 0);
    if (error)
        return error;
    if (is_dot(hd_call_first.name))
        return -EISDIR;
    if (!hd_call_first.is_there)
        return -ENOENT;
    if ((error = is_removable(call, &hd_call_first)))
        return error;
    if (hd_spot_is_directory(&hd_call_first.object))
        return -EISDIR;
    if (hd_call_first.has_slash)
        return -ENOTDIR;
    remove_name(&hd_call_first);
    return 0;
}

long hd_on_rmdir(hd_call *call, int from, const char *path)
{
    long error = hd_call_walk(call, &hd_call_first, from, path, 0);
    if (error)
        return error;
    if (is_dot(hd_call_first.name))
        return is_root(path) ? -EBUSY : hd_call_first.name[1] ? -ENOTEMPTY : -EINVAL;
    if (!hd_call_first.is_there)
        return -ENOENT;
    if ((error = is_removable(call, &hd_call_first)))
        return error;
    if (!hd_spot_is_directory(&hd_call_first.object))
        return -ENOTDIR;
    if (!hd_overlay_is_empty(&hd_call_first.object))
        return -ENOTEMPTY;
    remove_name(&hd_call_first);
    return 0;
}

long hd_on_unlinkat(hd_call *call, int from, const char *path, uint64_t flags)
{
    if (flags & ~(uint64_t)AT_REMOVEDIR)
        return -EINVAL;
    return flags ? hd_on_rmdir(call, from, path) : hd_on_unlink(call, from, path);
}
/* --- links and other names ------------------------------------------------------------------------------ */

static int is_same(const hd_spot *a, const hd_spot *b)
{
    if (a->node || b->node)
        return a->node == b->node;
    return a->at.st_dev == b->at.st_dev && a->at.st_ino == b->at.st_ino;
}

long hd_on_link(hd_call *call, int from, const char *path, int to_from, const char *to, uint64_t flags)
{
    if (flags & ~(uint64_t)AT_SYMLINK_FOLLOW)
        return flags & AT_EMPTY_PATH ? hd_call_need_real(call, "linkat names a descriptor") : -EINVAL;
    long error = hd_call_walk(call, &hd_call_first, from, path, flags != 0);
    if (error || !hd_call_first.is_there)
        return error ? error : -ENOENT;
    if ((error = hd_call_walk(call, &hd_call_second, to_from, to, 0)))
        return error;
    if (hd_call_second.is_there || hd_call_second.has_slash)
        return hd_call_second.is_there ? -EEXIST : -ENOENT;
    if (hd_spot_device(&hd_call_first.object) != hd_spot_device(&hd_call_second.directory))
        return -EXDEV;
    if ((error = hd_call_is_writable(call, &hd_call_second.directory)))
        return error;
    if (hd_spot_is_directory(&hd_call_first.object))
        return -EPERM;
    hd_node *n = hd_overlay_node(&hd_call_first.object);
    n->links++;
    n->changed = hd_overlay_now();
    hd_overlay_enter(hd_overlay_node(&hd_call_second.directory), hd_call_second.name, n, NULL);
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

/* May `second` be replaced by `hd_call_first`? */
static long fits(const hd_place *old, const hd_place *new, uint64_t flags)
{
    int moves_directory = hd_spot_is_directory(&old->object);
    if (!moves_directory && (old->has_slash || new->has_slash))
        return -ENOTDIR;
    if (!new->is_there)
        return 0;
    if (flags & RENAME_NOREPLACE)
        return -EEXIST;
    if (moves_directory != hd_spot_is_directory(&new->object))
        return moves_directory ? -ENOTDIR : -EISDIR;
    return moves_directory && !hd_overlay_is_empty(&new->object) ? -ENOTEMPTY : 0;
}

static long check_rename(hd_call *call, uint64_t flags)
{
    if (is_dot(hd_call_first.name) || is_dot(hd_call_second.name))
        return flags & RENAME_NOREPLACE ? -EEXIST : -EBUSY;
    if (!hd_call_first.is_there)
        return -ENOENT;
    if (hd_spot_device(&hd_call_first.directory) != hd_spot_device(&hd_call_second.directory))
        return -EXDEV;
    if (hd_spot_is_directory(&hd_call_first.object) && is_below(&hd_call_second.directory, &hd_call_first.object))
        return -EINVAL;
    long error = is_removable(call, &hd_call_first);
    if (!error)
        error = hd_call_second.is_there ? is_removable(call, &hd_call_second)
                                        : hd_call_is_writable(call, &hd_call_second.directory);
    return error ? error : fits(&hd_call_first, &hd_call_second, flags);
}

long hd_on_rename(hd_call *call, int from, const char *path, int to_from, const char *to, uint64_t flags)
{
    if (flags & ~(uint64_t)RENAME_NOREPLACE)
        return hd_call_need_real(call, "renameat2 exchanges names");
    long error = hd_call_walk(call, &hd_call_first, from, path, 0);
    if (!error)
        error = hd_call_walk(call, &hd_call_second, to_from, to, 0);
    if (!error)
        error = check_rename(call, flags);
    if (error)
        return error;
    if (hd_call_second.is_there && is_same(&hd_call_first.object, &hd_call_second.object))
        return 0;
    hd_node *n = hd_overlay_node(&hd_call_first.object), *directory = hd_overlay_node(&hd_call_first.directory);
    hd_node *to_directory = hd_overlay_node(&hd_call_second.directory);
    if (hd_call_second.is_there)
        remove_name(&hd_call_second);
    hd_overlay_enter(directory, hd_call_first.name, NULL, n);
    hd_overlay_enter(to_directory, hd_call_second.name, n, NULL);
    if (S_ISDIR(n->mode)) {
        count_directory(directory, -1);
        count_directory(to_directory, 1);
    }
    n->changed = hd_overlay_now();
    return 0;
}
