/* shm_open and shm_unlink, and what calls on descriptors do with shared memory. Run by hand, the program has real
 * shared memory. */
#include "runtime/kernel/memory_object.h"

#include "runtime/face/face.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/fifo.h"
#include "runtime/kernel/shared.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static int answer(int result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

static const char *see_name(const char *name)
{
    const hd_site *site = hd_call_site;
    hd_access_range(name, strlen(name) + 1, site, 0);
    hd_call_site = site;
    return hd_shared_name(name);
}

HD_FACE int hd_shm_open(const char *name, int flags, mode_t mode)
{
    if (!hd_exploring())
        return shm_open(name, flags, mode);
    const char *plain = see_name(name);
    return answer(plain ? hd_memory_object_open(plain, flags, hd_call_site) : -EINVAL);
}

HD_FACE int hd_shm_unlink(const char *name)
{
    if (!hd_exploring())
        return shm_unlink(name);
    const char *plain = see_name(name);
    return answer(plain ? hd_memory_object_unlink(plain, hd_call_site) : -ENOENT);
}

/* --- descriptors ------------------------------------------------------------------------------- */

int hd_modelled_truncate(int fd, off_t size)
{
    const hd_site *site = hd_call_site;
    hd_description *d = hd_descriptors_hold(fd, site);
    int error = hd_memory_object_of(d) == HD_NO_SHARED ? -EINVAL : hd_memory_object_resize(d, size, site);
    hd_descriptors_release(fd, d, site);
    return answer(error);
}

void hd_modelled_status(int fd, struct stat *to)
{
    const hd_site *site = hd_call_site;
    hd_description *d = hd_descriptors_hold(fd, site);
    if (!d)
        return;
    uint32_t memory = hd_memory_object_of(d);
    to->st_size = memory == HD_NO_SHARED ? 0 : (off_t)hd_shared_size(memory, site);
    hd_fifo_status(d, to);
    hd_descriptors_release(fd, d, site);
}

/* `d` is that of a shared memory object or of something else, which cannot be mapped. */
static int refuses(const hd_description *d, int protection, int flags)
{
    if (hd_memory_object_of(d) == HD_NO_SHARED)
        return ENODEV;
    if ((flags & MAP_TYPE) == MAP_PRIVATE)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "a private mapping of a shared memory object is not modelled yet");
    return (protection & PROT_WRITE) && (d->flags & O_ACCMODE) == O_RDONLY ? EACCES : 0;
}

void *hd_modelled_map(int fd, size_t size, int protection, int flags, off_t offset)
{
    const hd_site *site = hd_call_site;
    hd_description *d = hd_descriptors_hold(fd, site);
    void *block = MAP_FAILED;
    int error = refuses(d, protection, flags);
    if (!error)
        block = hd_shared_map(hd_memory_object_of(d), (size_t)offset, size, site);
    hd_descriptors_release(fd, d, site);
    answer(-error);
    return block;
}
