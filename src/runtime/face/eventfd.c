#include "runtime/sync/eventfd.h"

#include "runtime/face/face.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/lines.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int answer(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

HD_FACE int hd_eventfd(unsigned value, int flags)
{
    const hd_site *site = hd_call_site;
    hd_fs_number(0, site);
    int fd = eventfd(0, flags);
    if (fd < 0)
        return fd;
    hd_call_site = site;
    return answer(hd_eventfd_make(fd, value, flags)) ? -1 : fd;
}

ssize_t hd_face_read_event(int fd, void *to, size_t size)
{
    const hd_site *site = hd_call_site;
    uint64_t value;
    int error = size < sizeof value ? EINVAL : hd_eventfd_take(fd, &value);
    if (error)
        return answer(error);
    hd_access_range(to, sizeof value, site, 1);
    memcpy(to, &value, sizeof value);
    return sizeof value;
}

ssize_t hd_face_write_event(int fd, const void *from, size_t size)
{
    const hd_site *site = hd_call_site;
    uint64_t value;
    if (size < sizeof value)
        return answer(EINVAL);
    hd_access_range(from, sizeof value, site, 0);
    if (hd_fast_state.expressions)
        hd_lines_follow(from, sizeof value, site);
    memcpy(&value, from, sizeof value);
    hd_call_site = site;
    return answer(hd_eventfd_add(fd, value)) ? -1 : (ssize_t)sizeof value;
}

/* Is it an eventfd, for the current thread? */
static int is_event(int fd)
{
    const hd_site *site = hd_call_site;
    hd_fs_look_up(fd, site);
    hd_call_site = site;
    return hd_eventfd_is(fd);
}

HD_FACE int hd_eventfd_read(int fd, eventfd_t *value)
{
    if (!is_event(fd))
        return eventfd_read(fd, value);
    return hd_face_read_event(fd, value, sizeof *value) < 0 ? -1 : 0;
}

HD_FACE int hd_eventfd_write(int fd, eventfd_t value)
{
    return is_event(fd) ? answer(hd_eventfd_add(fd, value)) : eventfd_write(fd, value);
}
