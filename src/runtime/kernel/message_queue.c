#include "runtime/kernel/message_queue_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/kernel/names.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

hd_message_queue hd_message_queues[HD_INSTANCES];
static hd_instances instances;

hd_gate hd_message_data[HD_INSTANCES], hd_message_room[HD_INSTANCES];

void hd_message_queues_reset(void)
{
    for (uint32_t i = 0; i < instances.count; i++) {
        uint32_t number = instances.made[i];
        memset(&hd_message_queues[number], 0, sizeof *hd_message_queues);
        hd_message_data[number] = hd_message_room[number] = (hd_gate) { 0 };
    }
    hd_instances_reset(&instances);
}

static hd_message_queue *queue_of(const hd_description *d)
{
    return &hd_message_queues[d->object];
}

static int is_full(const hd_message_queue *q)
{
    return q->queue.count == q->messages;
}

static int is_in_order(const hd_queue *q)
{
    for (uint16_t i = hd_queue_next(q, 0), next; i; i = next) {
        next = hd_queue_next(q, i);
        if (next && hd_queue_tag(next) > hd_queue_tag(i))
            return 0;
    }
    return 1;
}

int hd_message_queue_is_valid(uint32_t number)
{
    const hd_message_queue *q = &hd_message_queues[number];
    return hd_queue_is_valid(&q->queue) && q->queue.count <= q->messages && is_in_order(&q->queue)
        && hd_message_data[number].count == (q->queue.count > 0)
        && hd_message_room[number].count == (uint64_t)is_full(q);
}

static void check_validity(uint32_t number)
{
    hd_check_valid(hd_message_queue_is_valid(number), 1, 0);
}

/* --- messages ----------------------------------------------------------------------------------- */

static int passes_room(hd_description *d, const struct timespec *until)
{
    hd_gate *room = &hd_message_room[d->object];
    return hd_description_waits(d) ? hd_room_take_until(room, until) : hd_room_take(room, 0);
}

/* The units of a message: so many that HD_SURE_UNITS hold all messages but one of a full queue. None if messages of
 * different priorities have been sent, since they do not come in order. */
static uint32_t units_of_message(const hd_message_queue *q)
{
    return q->is_ranked || q->messages == 1 ? 0 : HD_SURE_UNITS / (q->messages - 1);
}

static int passes_data(hd_description *d, const struct timespec *until)
{
    hd_gate *data = &hd_message_data[d->object];
    int waits = hd_description_waits(d);
    return waits && until ? hd_data_take_until(data, until) : hd_data_fetch(data, waits, units_of_message(queue_of(d)));
}

static void note_priority(hd_message_queue *q, unsigned priority)
{
    q->is_ranked |= q->has_sent && q->priority != priority;
    q->has_sent = 1;
    q->priority = priority;
}

static int failure(const hd_description *d)
{
    return hd_description_waits(d) ? -ETIMEDOUT : -EAGAIN;
}

int hd_message_queue_send(
    hd_description *d, const void *from, size_t size, unsigned priority, const struct timespec *until)
{
    hd_message_queue *q = queue_of(d);
    uint32_t outer = hd_step_begin(0);
    int passed = passes_room(d, until);
    if (passed) {
        note_priority(q, priority);
        hd_queue_put(&q->queue, from, size, (long)priority, 1);
        hd_data_append(&hd_message_data[d->object], units_of_message(q));
        if (is_full(q))
            hd_room_gone(&hd_message_room[d->object]);
    }
    hd_step_end(outer);
    check_validity(d->object);
    return passed ? 0 : failure(d);
}

ssize_t hd_message_queue_receive(hd_description *d, void *to, unsigned *priority, const struct timespec *until)
{
    hd_message_queue *q = queue_of(d);
    ssize_t size = 0;
    uint32_t outer = hd_step_begin(0);
    int passed = passes_data(d, until);
    if (passed) {
        uint16_t first = hd_queue_next(&q->queue, 0);
        *priority = (unsigned)hd_queue_tag(first);
        size = (ssize_t)hd_queue_size(first);
        hd_queue_take_message(&q->queue, first, to, (size_t)size);
        hd_message_data[d->object].fetched += units_of_message(q);
        if (!q->queue.count)
            hd_data_gone(&hd_message_data[d->object]);
        if (hd_message_room[d->object].count)
            hd_room_comes(&hd_message_room[d->object]);
    }
    hd_step_end(outer);
    check_validity(d->object);
    return passed ? size : failure(d);
}

/* --- the type of its descriptions ------------------------------------------------------------------ */

static _Noreturn void limit(const char *what)
{
    hd_end(HD_MODEL_LIMIT, hd_call_site, "%s of a message queue is not modelled yet", what);
}

static ssize_t read_from(hd_description *d, void *to, size_t size, int flags)
{
    (void)d, (void)to, (void)size, (void)flags;
    limit("reading from the descriptor");
}

static ssize_t write_to(hd_description *d, const void *from, size_t size, int flags)
{
    (void)d, (void)from, (void)size, (void)flags;
    return -EINVAL;
}

static long available(hd_description *d)
{
    (void)d;
    limit("FIONREAD");
}

/* A queue that nothing leads to any more has no effect on anything. */
static void close_description(hd_description *d)
{
    (void)d;
}

static hd_gate *data_of(hd_description *d)
{
    return &hd_message_data[d->object];
}

static hd_gate *room_of(hd_description *d)
{
    return &hd_message_room[d->object];
}

static short events(hd_description *d)
{
    const hd_message_queue *q = queue_of(d);
    return (short)((q->queue.count ? POLLIN | POLLRDNORM : 0) | (is_full(q) ? 0 : POLLOUT | POLLWRNORM));
}

static const hd_file_type queue_type = { "message queue", S_IFREG | 0600, read_from, write_to, available,
    close_description, data_of, room_of, events, 0 };

int hd_message_queue_is(const hd_description *d)
{
    return d && d->type == &queue_type;
}

size_t hd_message_queue_bytes(const hd_description *d)
{
    return queue_of(d)->bytes;
}

long hd_message_queue_messages(const hd_description *d)
{
    return queue_of(d)->messages;
}

long hd_message_queue_count(const hd_description *d)
{
    hd_data_look(&hd_message_data[d->object]);
    return queue_of(d)->queue.count;
}

/* --- names -------------------------------------------------------------------------------------------- */

static int open_number(uint32_t number, int flags, const hd_site *site)
{
    hd_description *d = hd_description_make(&queue_type, number, flags & (O_ACCMODE | O_NONBLOCK));
    return hd_descriptors_add(d, 0, 1, site);
}

static int make_and_open(const char *name, int flags, long messages, long bytes, const hd_site *site)
{
    if (messages <= 0 || messages > HD_MESSAGES_MOST || bytes <= 0 || bytes > HD_MESSAGE_MOST)
        return -EINVAL;
    uint32_t number = hd_instances_add(&instances, "message queues");
    hd_message_queues[number] = (hd_message_queue) { .messages = (uint32_t)messages, .bytes = (uint32_t)bytes };
    int fd = open_number(number, flags, site);
    if (fd >= 0)
        hd_names_add(HD_NAMES_OF_QUEUES, name, number);
    return fd;
}

static int find_and_open(const char *name, int flags, long messages, long bytes, const hd_site *site)
{
    int number = hd_names_find(HD_NAMES_OF_QUEUES, name, flags & O_CREAT, site);
    if (number < 0)
        return flags & O_CREAT ? make_and_open(name, flags, messages, bytes, site) : -ENOENT;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        return -EEXIST;
    return (flags & O_ACCMODE) == O_ACCMODE ? -EINVAL : open_number((uint32_t)number, flags, site);
}

int hd_message_queue_open(const char *name, int flags, long messages, long bytes, const hd_site *site)
{
    uint32_t outer = hd_step_begin(0);
    int fd = find_and_open(name, flags, messages, bytes, site);
    hd_step_end(outer);
    return fd;
}

int hd_message_queue_unlink(const char *name, const hd_site *site)
{
    return hd_names_remove(HD_NAMES_OF_QUEUES, name, site) < 0 ? -ENOENT : 0;
}
