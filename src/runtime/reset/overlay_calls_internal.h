/* Private to the files that perform system calls on files: overlay_calls.c (finding what a call is about, and the
 * table), overlay_look.c, overlay_names.c, overlay_attributes.c, overlay_open.c. */
#ifndef HD_RUNTIME_RESET_OVERLAY_CALLS_INTERNAL_H
#define HD_RUNTIME_RESET_OVERLAY_CALLS_INTERNAL_H

#include "runtime/reset/overlay_internal.h"

#include <sys/time.h>
#include <utime.h>

enum { ENDED = HD_OVERLAY_ENDED, PERMISSIONS = 07777 };

/* What the call is about; the second one is the new name of a call with two. Not on the stack: they are large. */
extern hd_place hd_call_first, hd_call_second;

static inline uint64_t hd_call_argument(const hd_call *call, int i)
{
    return call->arguments[i];
}

static inline int hd_call_descriptor(const hd_call *call, int i)
{
    return (int)call->arguments[i];
}

static inline const char *hd_call_text(const hd_call *call, int i)
{
    return (const char *)call->arguments[i];
}

/* The kernel has to resolve the path: it leads into /proc. */
static inline int hd_spot_is_outside(const hd_spot *s)
{
    return !s->node && !s->at.st_mode;
}

static inline int hd_spot_is_directory(const hd_spot *s)
{
    return S_ISDIR(hd_spot_mode(s));
}

/* The call needs real files: ENDED. */
long hd_call_need_real(hd_call *call, const char *what);

/* Finds where a path leads, something that must exist (`flags` are AT_…), and the same for a call that changes it, with
 * its node. They return 0 or minus an error number. */
long hd_call_walk(hd_call *call, hd_place *p, int from, const char *path, int follows);
long hd_call_find(int from, const char *path, uint64_t flags);
long hd_call_find_node(hd_call *call, int from, const char *path, uint64_t flags);

/* May names be made in the directory and removed from it? A new node with the name of `p`, where nothing is yet; NULL:
 * *error says why not. Permissions of something new. */
long hd_call_is_writable(hd_call *call, const hd_spot *directory);
hd_node *hd_call_make(hd_call *call, hd_place *p, uint32_t mode, long *error);
uint32_t hd_call_without_umask(uint64_t mode);

/* Calls that look at files: overlay_look.c. */
long hd_on_stat(hd_call *call, int from, const char *path, uint64_t flags, void *to);
long hd_on_access(int from, const char *path, uint64_t wanted, uint64_t flags);
long hd_on_readlink(int from, const char *path, char *to, uint64_t size);
long hd_on_getcwd(char *to, uint64_t size);
long hd_on_statfs(int from, const char *path, uint64_t flags, void *to);
long hd_on_attributes(hd_call *call, int from, const char *path, uint64_t flags);
long hd_on_chdir(int from, const char *path, uint64_t flags);

/* Calls that change names: overlay_names.c. */
long hd_on_mkdir(hd_call *call, int from, const char *path, uint64_t mode);
long hd_on_mknod(hd_call *call, int from, const char *path, uint64_t mode);
long hd_on_symlink(hd_call *call, const char *target, int from, const char *path);
long hd_on_unlink(hd_call *call, int from, const char *path);
long hd_on_rmdir(hd_call *call, int from, const char *path);
long hd_on_unlinkat(hd_call *call, int from, const char *path, uint64_t flags);
long hd_on_link(hd_call *call, int from, const char *path, int to_from, const char *to, uint64_t flags);
long hd_on_rename(hd_call *call, int from, const char *path, int to_from, const char *to, uint64_t flags);

/* Calls that change attributes and sizes: overlay_attributes.c. */
long hd_on_chmod(hd_call *call, int from, const char *path, uint64_t mode, uint64_t flags);
long hd_on_chown(hd_call *call, int from, const char *path, uint64_t owner, uint64_t group, uint64_t flags);
long hd_on_utime(hd_call *call, int from, const char *path, const struct timespec *times, uint64_t flags);
long hd_on_utimes(hd_call *call, int from, const char *path, const struct timeval *times);
long hd_on_old_utime(hd_call *call, const char *path, const struct utimbuf *times);
long hd_on_truncate(hd_call *call, const char *path, int64_t size);
long hd_on_size(hd_call *call);

/* open: overlay_open.c. The result or ENDED. */
long hd_call_open(hd_call *call, int from, const char *path, uint64_t flags, uint64_t mode);

#endif
