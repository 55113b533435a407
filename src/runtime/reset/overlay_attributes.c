/* System calls that change attributes and sizes of files. */
#include "runtime/reset/overlay_calls_internal.h"

#include "runtime/core/system.h"
#include "runtime/reset/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

static long is_owner(const hd_node *n)
{
    uint32_t me = hd_disk_user(1);
    return me && me != n->owner ? -EPERM : 0;
}

long hd_on_chmod(hd_call *call, int from, const char *path, uint64_t mode, uint64_t flags)
{
    long error = hd_call_find_node(call, from, path, flags);
    hd_node *n = hd_call_first.object.node;
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
long hd_on_chown(hd_call *call, int from, const char *path, uint64_t owner, uint64_t group, uint64_t flags)
{
    long error = hd_call_find_node(call, from, path, flags);
    hd_node *n = hd_call_first.object.node;
    if (error)
        return error;
    uint32_t new_owner = (int)owner == -1 ? n->owner : (uint32_t)owner;
    uint32_t new_group = (int)group == -1 ? n->group : (uint32_t)group;
    if (hd_disk_user(1) && (new_owner != n->owner || new_group != n->group))
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

long hd_on_utime(hd_call *call, int from, const char *path, const struct timespec *times, uint64_t flags)
{
    struct timespec now[2] = { { 0, UTIME_NOW }, { 0, UTIME_NOW } };
    if (times && (is_bad_time(times[0]) || is_bad_time(times[1])))
        return -EINVAL;
    long error = hd_call_find_node(call, from, path, path ? flags : flags | AT_EMPTY_PATH);
    hd_node *n = hd_call_first.object.node;
    if (error)
        return error;
    if (is_owner(n) && (times || hd_overlay_permits(&hd_call_first.object, W_OK, 1)))
        return times ? -EPERM : -EACCES;
    set_time(&n->accessed, times ? times[0] : now[0]);
    set_time(&n->modified, times ? times[1] : now[1]);
    n->changed = hd_overlay_now();
    return 0;
}

long hd_on_utimes(hd_call *call, int from, const char *path, const struct timeval *times)
{
    struct timespec t[2];
    for (int i = 0; i < 2 && times; i++)
        t[i] = (struct timespec) { times[i].tv_sec, times[i].tv_usec * 1000 };
    return hd_on_utime(call, from, path, times ? t : NULL, 0);
}

long hd_on_old_utime(hd_call *call, const char *path, const struct utimbuf *times)
{
    struct timespec t[2];
    if (times) {
        t[0] = (struct timespec) { times->actime, 0 };
        t[1] = (struct timespec) { times->modtime, 0 };
    }
    return hd_on_utime(call, AT_FDCWD, path, times ? t : NULL, 0);
}

long hd_on_truncate(hd_call *call, const char *path, int64_t size)
{
    if (size < 0)
        return -EINVAL;
    long error = hd_call_find(AT_FDCWD, path, 0);
    if (error)
        return error;
    if (hd_spot_is_directory(&hd_call_first.object))
        return -EISDIR;
    if (!S_ISREG(hd_spot_mode(&hd_call_first.object)))
        return hd_spot_is_outside(&hd_call_first.object) ? hd_call_need_real(call, "a file of the kernel is changed")
                                                         : -EINVAL;
    if ((error = hd_overlay_permits(&hd_call_first.object, W_OK, 1)))
        return error;
    hd_node *n = hd_overlay_node(&hd_call_first.object);
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
long hd_on_size(hd_call *call)
{
    int fd = hd_call_descriptor(call, 0);
    if (call->number == SYS_fallocate && hd_kernel_is_flooded(call, hd_call_argument(call, 3)))
        return ENDED;
    if (!hd_files_is_opened(fd))
        return hd_kernel_refuse(call, "a descriptor that the process had before is changed");
    hd_overlay_touch_fd(fd);
    hd_mapped_flush(fd);
    long result = hd_kernel_perform(call);
    hd_mapped_refresh(fd);
    return result;
}
