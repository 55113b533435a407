/* POSIX message queues (kernel/message_queue.h). Run by hand, the program has real ones. */
#include "runtime/kernel/message_queue.h"

#include "runtime/face/face.h"
#include "runtime/face/descriptors_internal.h"
#include "runtime/face/interrupts.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"
#include "runtime/symbolic/lines.h"

#include <errno.h>
#include <limits.h>
#include <mqueue.h>
#include <stdarg.h>
#include <string.h>

static int answer(int result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

/* --- names ------------------------------------------------------------------------------------ */

/* The error of a name, as the C library and Linux find it; 0: it is one, without its slash. */
static int wrong_name(const char **name, const hd_site *site)
{
    hd_access_range(*name, strlen(*name) + 1, site, 0);
    hd_call_site = site;
    if (**name != '/')
        return -EINVAL;
    ++*name;
    return !**name ? -ENOENT : strchr(*name, '/') ? -EACCES : strlen(*name) > NAME_MAX ? -ENAMETOOLONG : 0;
}

HD_FACE mqd_t hd_mq_open(const char *name, int flags, ...)
{
    const hd_site *site = hd_call_site;
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, unsigned) : 0;
    const struct mq_attr *a = flags & O_CREAT ? va_arg(args, const struct mq_attr *) : NULL;
    va_end(args);
    if (!hd_exploring())
        return mq_open(name, flags, mode, a);
    struct mq_attr attributes = { .mq_maxmsg = HD_MESSAGES_MOST, .mq_msgsize = HD_MESSAGE_MOST };
    if (a) {
        hd_access_range(a, sizeof *a, site, 0);
        attributes = *a;
    }
    int error = wrong_name(&name, site);
    return answer(
        error ? error : hd_message_queue_open(name, flags, attributes.mq_maxmsg, attributes.mq_msgsize, site));
}

HD_FACE int hd_mq_unlink(const char *name)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return mq_unlink(name);
    int error = wrong_name(&name, site);
    return answer(error ? error : hd_message_queue_unlink(name, site));
}

/* --- descriptors --------------------------------------------------------------------------------- */

typeof(close) hd_close;

HD_FACE int hd_mq_close(mqd_t queue)
{
    return hd_close(queue);
}

/* The description of a queue that is open for `access` (O_RDONLY, O_WRONLY; -1: any); NULL: there is none. */
static hd_description *hold(mqd_t queue, int access, const hd_site *site)
{
    hd_description *d = hd_descriptors_hold(queue, site);
    if (!d)
        return NULL;
    int mode = d->flags & O_ACCMODE;
    if (hd_message_queue_is(d) && (access < 0 || mode == O_RDWR || mode == access))
        return d;
    hd_descriptors_release(queue, d, site);
    return NULL;
}

static int is_bad_time(const struct timespec *until, const hd_site *site)
{
    if (!until)
        return 0;
    hd_access_range(until, sizeof *until, site, 0);
    hd_call_site = site;
    return until->tv_sec < 0 || until->tv_nsec < 0 || until->tv_nsec >= 1000000000;
}

static int time_out(int result, const struct timespec *until)
{
    if (result == -ETIMEDOUT)
        hd_time_ran_out(ETIMEDOUT, until);
    return result;
}

/* --- messages --------------------------------------------------------------------------------------- */

static int send_message(
    hd_description *d, const char *from, size_t size, unsigned priority, const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    char bytes[HD_MESSAGE_MOST];
    if (size > hd_message_queue_bytes(d))
        return -EMSGSIZE;
    hd_access_range(from, size, site, 0);
    if (hd_fast_state.expressions)
        hd_lines_follow(from, size, site);
    memcpy(bytes, from, size);
    hd_call_site = site;
    return time_out(hd_message_queue_send(d, bytes, size, priority, until), until);
}

HD_FACE int hd_mq_timedsend(mqd_t queue, const char *from, size_t size, unsigned priority, const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return until ? mq_timedsend(queue, from, size, priority, until) : mq_send(queue, from, size, priority);
    if (is_bad_time(until, site) || priority >= MQ_PRIO_MAX)
        return answer(-EINVAL);
    int handled = hd_call_begins();
    hd_description *d = hold(queue, O_WRONLY, site);
    if (!d)
        return answer(-EBADF);
    if (hd_ends_sending(handled, d, 0))
        return (int)hd_end_call(queue, d);
    int result = send_message(d, from, size, priority, until);
    hd_descriptors_release(queue, d, site);
    return answer(result);
}

HD_FACE int hd_mq_send(mqd_t queue, const char *from, size_t size, unsigned priority)
{
    return hd_mq_timedsend(queue, from, size, priority, NULL);
}

static ssize_t receive_message(
    hd_description *d, char *to, size_t size, unsigned *priority, const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    char bytes[HD_MESSAGE_MOST];
    unsigned sent_with;
    if (size < hd_message_queue_bytes(d))
        return -EMSGSIZE;
    ssize_t got = time_out((int)hd_message_queue_receive(d, bytes, &sent_with, until), until);
    if (got < 0)
        return got;
    hd_access_ranges(
        (hd_range[]) { { to, (uint64_t)got, 1 }, { priority, sizeof *priority, 1 } }, priority ? 2 : 1, site);
    memcpy(to, bytes, (size_t)got);
    if (hd_fast_state.expressions)
        hd_lines_clear(to, (uint64_t)got);
    if (priority)
        *priority = sent_with;
    return got;
}

HD_FACE ssize_t hd_mq_timedreceive(mqd_t queue, char *to, size_t size, unsigned *priority, const struct timespec *until)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return until ? mq_timedreceive(queue, to, size, priority, until) : mq_receive(queue, to, size, priority);
    if (is_bad_time(until, site))
        return answer(-EINVAL);
    int handled = hd_call_begins();
    hd_description *d = hold(queue, O_RDONLY, site);
    if (!d)
        return answer(-EBADF);
    if (hd_ends_receiving(handled, d, 0))
        return hd_end_call(queue, d);
    ssize_t result = receive_message(d, to, size, priority, until);
    hd_descriptors_release(queue, d, site);
    return answer((int)result);
}

HD_FACE ssize_t hd_mq_receive(mqd_t queue, char *to, size_t size, unsigned *priority)
{
    return hd_mq_timedreceive(queue, to, size, priority, NULL);
}

/* --- attributes ---------------------------------------------------------------------------------------- */

static void tell(hd_description *d, struct mq_attr *to, const hd_site *site)
{
    struct mq_attr now = { .mq_flags = d->flags & O_NONBLOCK,
        .mq_maxmsg = hd_message_queue_messages(d),
        .mq_msgsize = (long)hd_message_queue_bytes(d),
        .mq_curmsgs = hd_message_queue_count(d) };
    hd_access_range(to, sizeof *to, site, 1);
    memset(to, 0, sizeof *to);
    *to = now;
}

HD_FACE int hd_mq_setattr(mqd_t queue, const struct mq_attr *new, struct mq_attr *old)
{
    const hd_site *site = hd_call_site;
    if (!hd_exploring())
        return mq_setattr(queue, new, old);
    if (new)
        hd_access_range(new, sizeof *new, site, 0);
    long flags = new ? new->mq_flags : 0;
    if (flags & ~(long)O_NONBLOCK)
        return answer(-EINVAL);
    hd_description *d = hold(queue, -1, site);
    if (!d)
        return answer(-EBADF);
    if (old)
        tell(d, old, site);
    if (new)
        hd_description_set_flags(d, (d->flags & ~O_NONBLOCK) | (int)flags, site);
    hd_descriptors_release(queue, d, site);
    return 0;
}

HD_FACE int hd_mq_getattr(mqd_t queue, struct mq_attr *to)
{
    if (!hd_exploring())
        return mq_getattr(queue, to);
    return hd_mq_setattr(queue, NULL, to);
}
