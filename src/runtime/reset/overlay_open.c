/* Opening files. */
#include "runtime/reset/overlay_calls_internal.h"

#include "runtime/core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

static int wanted_by(uint64_t flags)
{
    static const int by_access[] = { R_OK, W_OK, R_OK | W_OK, R_OK | W_OK };
    return by_access[flags & O_ACCMODE] | (flags & O_TRUNC ? W_OK : 0);
}

static long open_on_disk(hd_call *call, uint64_t flags)
{
    return hd_files_opened(
        call, hd_system(SYS_open, hd_call_first.object.path, (long)(flags & ~(uint64_t)(O_CREAT | O_EXCL)), 0l));
}

static long open_file(hd_call *call, uint64_t flags)
{
    hd_spot *s = &hd_call_first.object;
    int changes = (wanted_by(flags) & W_OK) && !(flags & O_PATH);
    if (hd_call_first.has_slash || (flags & O_DIRECTORY))
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
    hd_spot *s = &hd_call_first.object;
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
    const hd_spot *s = &hd_call_first.object;
    if (S_ISREG(hd_spot_mode(s)))
        return open_file(call, flags);
    if (hd_spot_is_directory(s))
        return open_directory(call, flags);
    if (s->node && S_ISLNK(s->node->mode))
        return flags & O_PATH     ? hd_call_need_real(call, "a symbolic link is opened")
            : flags & O_DIRECTORY ? -ENOTDIR
                                  : -ELOOP;
    if (S_ISFIFO(hd_spot_mode(s)) && (hd_call_first.has_slash || (flags & O_DIRECTORY)))
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
    long error = hd_call_find(from, path, 0);
    if (!error && !hd_spot_is_directory(&hd_call_first.object))
        error = -ENOTDIR;
    if (!error)
        error = hd_call_is_writable(call, &hd_call_first.object);
    if (error)
        return error;
    hd_node *n =
        hd_overlay_make(S_IFREG | hd_call_without_umask(mode & PERMISSIONS), hd_spot_device(&hd_call_first.object));
    n->links = 0;
    return open_new(call, n, flags & ~(uint64_t)O_TMPFILE);
}

static long create(hd_call *call, uint64_t flags, uint64_t mode)
{
    long error;
    if (hd_call_first.has_slash)
        return -EISDIR;
    hd_node *n = hd_call_make(call, &hd_call_first, S_IFREG | hd_call_without_umask(mode & PERMISSIONS), &error);
    return n ? open_new(call, n, flags) : error;
}

long hd_call_open(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode)
{
    int excludes = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
    if ((flags & O_TMPFILE) == O_TMPFILE)
        return open_nameless(call, from, path, flags, mode);
    if ((flags & O_CREAT) && (flags & O_DIRECTORY))
        return -EINVAL;
    long error = hd_overlay_walk(&hd_call_first, from, path, !(flags & O_NOFOLLOW) && !excludes);
    if (error)
        return error;
    if (!hd_call_first.is_there)
        return flags & O_CREAT ? create(call, flags, mode) : -ENOENT;
    return excludes ? -EEXIST : open_object(call, flags);
}
