/* Control data of messages: descriptors (runtime/kernel/rights.h). What is checked, and in which order, is as in Linux.
 */
#include "runtime/face/descriptors_internal.h"
#include "runtime/kernel/rights.h"
#include "runtime/kernel/socket.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>

enum { HEAD = sizeof(struct cmsghdr) };

/* Adds the descriptors of one header: 0 or minus an error number. */
static int collect_rights(const uint8_t *from, size_t size, const hd_site *site)
{
    uint32_t count = (uint32_t)(size / sizeof(int));
    int error = hd_rights_count() + count > HD_MOST_RIGHTS ? -EINVAL : 0;
    for (uint32_t i = 0; i < count && !error; i++) {
        int fd;
        memcpy(&fd, from + i * sizeof fd, sizeof fd);
        error = hd_rights_add(fd, site);
    }
    return error;
}

/* One header with `size` bytes behind it. Other sockets than UNIX sockets ignore what is meant for those. */
static int collect_one(
    const hd_description *d, const struct cmsghdr *head, const uint8_t *from, size_t size, const hd_site *site)
{
    int is_unix = hd_socket_domain(d) == AF_UNIX, is_meant = head->cmsg_level == SOL_SOCKET;
    int is_known = is_meant && (head->cmsg_type == SCM_RIGHTS || head->cmsg_type == SCM_CREDENTIALS);
    if (is_unix && is_meant && head->cmsg_type == SCM_RIGHTS)
        return collect_rights(from, size, site);
    if (is_unix ? is_known : !is_known)
        hd_end(HD_MODEL_LIMIT, site, "control data of level %d and type %d is not modelled yet", head->cmsg_level,
            head->cmsg_type);
    return is_unix && is_meant ? -EINVAL : 0;
}

int hd_collect_rights(const hd_description *d, const void *control, size_t length, const hd_site *site)
{
    struct cmsghdr head;
    int error = length > INT_MAX ? -ENOBUFS : 0;
    if (!control || !length || error)
        return error;
    hd_rights_begin();
    hd_access_range(control, length, site, 0);
    for (size_t at = 0; !error && at + HEAD <= length; at += CMSG_ALIGN(head.cmsg_len)) {
        memcpy(&head, (const uint8_t *)control + at, sizeof head);
        if (head.cmsg_len < HEAD || head.cmsg_len > length - at)
            return -EINVAL;
        error = collect_one(d, &head, (const uint8_t *)control + at + HEAD, head.cmsg_len - HEAD, site);
    }
    return error;
}

/* How many numbers a buffer of this size has room for. */
static uint32_t room_in(size_t length)
{
    return length <= HEAD ? 0 : (uint32_t)((length - HEAD) / sizeof(int));
}

static uint32_t receive_numbers(int *fds, uint32_t most, int closes_on_exec, const hd_site *site)
{
    uint32_t count = 0;
    while (count < most && hd_rights_count()) {
        fds[count] = hd_rights_receive(closes_on_exec, site);
        if (fds[count] < 0)
            break;
        count++;
    }
    return count;
}

int hd_tell_rights(struct msghdr *m, int closes_on_exec, const hd_site *site)
{
    int fds[HD_MOST_RIGHTS];
    size_t length = m->msg_controllen;
    uint32_t count = receive_numbers(fds, room_in(length), closes_on_exec, site);
    int is_truncated = hd_rights_count() != 0;
    hd_rights_end(site);
    m->msg_controllen = 0;
    if (count) {
        struct cmsghdr head = {
            .cmsg_len = CMSG_LEN(count * sizeof *fds), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS
        };
        size_t space = CMSG_SPACE(count * sizeof *fds);
        hd_access_range(m->msg_control, head.cmsg_len, site, 1);
        memcpy(m->msg_control, &head, sizeof head);
        memcpy((uint8_t *)m->msg_control + HEAD, fds, count * sizeof *fds);
        m->msg_controllen = space < length ? space : length;
    }
    return is_truncated;
}
