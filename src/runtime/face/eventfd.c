#include "runtime/kernel/eventfd.h"

#include "runtime/face/face.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/uio.h>

HD_FACE int hd_eventfd(unsigned value, int flags)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return eventfd(value, flags);
    if (flags & ~(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK)) {
        errno = EINVAL;
        return -1;
    }
    uint32_t outer = hd_step_begin(0);
    hd_fs_number(0, site);
    hd_call_site = site;
    int fd = hd_descriptors_add(hd_eventfd_make(value, flags), 0, flags & EFD_CLOEXEC, site);
    hd_step_end(outer);
    errno = fd < 0 ? -fd : errno;
    return fd < 0 ? -1 : fd;
}

HD_FACE ssize_t hd_file_read(int fd, void *to, size_t size);
HD_FACE ssize_t hd_file_write(int fd, const void *from, size_t size);

HD_FACE int hd_eventfd_read(int fd, eventfd_t *value)
{
    return hd_file_read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

HD_FACE int hd_eventfd_write(int fd, eventfd_t value)
{
    return hd_file_write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
