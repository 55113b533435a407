#include "runtime/kernel/signalfd.h"

#include "runtime/face/face.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

static int answer(int result)
{
    errno = result < 0 ? -result : errno;
    return result < 0 ? -1 : result;
}

static int change(int fd, uint64_t signals, const hd_site *site)
{
    hd_description *d = hd_descriptors_hold(fd, site);
    int is_one = d && hd_signalfd_is(d);
    hd_call_site = site;
    if (is_one)
        hd_signalfd_set(d, signals);
    if (d)
        hd_descriptors_release(fd, d, site);
    return is_one ? fd : d || fcntl(fd, F_GETFD) >= 0 ? -EINVAL : -EBADF;
}

static int make(uint64_t signals, int flags, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    hd_fs_number(0, site);
    hd_call_site = site;
    int fd = hd_descriptors_add(hd_signalfd_make(signals, flags), 0, flags & SFD_CLOEXEC, site);
    hd_step_end(outer);
    return fd;
}

HD_FACE int hd_signalfd(int fd, const sigset_t *mask, int flags)
{
    const hd_site *site = hd_call_site;
    uint64_t signals;
    if (!hd_exploring())
        return signalfd(fd, mask, flags);
    hd_access_range(mask, sizeof signals, site, 0);
    memcpy(&signals, mask, sizeof signals);
    signals &= ~(1ull << (SIGKILL - 1) | 1ull << (SIGSTOP - 1));
    hd_call_site = site;
    if (flags & ~(SFD_CLOEXEC | SFD_NONBLOCK))
        return answer(-EINVAL);
    return answer(fd == -1 ? make(signals, flags, site) : change(fd, signals, site));
}
