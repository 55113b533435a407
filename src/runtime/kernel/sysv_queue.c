#include "runtime/kernel/sysv_queue_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/kernel/lives.h"
#include "runtime/kernel/names.h"
#include "runtime/sched/spin.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/msg.h>

hd_sysv_queue hd_sysv_queues[HD_INSTANCES];
static hd_instances instances;

hd_gate hd_sysv_data[HD_INSTANCES], hd_sysv_room[HD_INSTANCES];
uint64_t hd_sysv_lives[HD_INSTANCES]; /* objects, too */

void hd_sysv_queues_reset(void)
{
    for (uint32_t i = 0; i < instances.count; i++) {
        uint32_t number = instances.made[i];
        memset(&hd_sysv_queues[number], 0, sizeof *hd_sysv_queues);
        hd_sysv_data[number].count = hd_sysv_room[number].count = 0;
    }
    hd_instances_reset(&instances);
}

static int has_data(const hd_sysv_queue *q)
{
    return q->queue.count || q->removed;
}

static int has_room(const hd_sysv_queue *q)
{
    return q->queue.bytes < HD_LETTERS_BYTES || q->removed;
}

int hd_sysv_queue_is_valid(uint32_t number)
{
    const hd_sysv_queue *q = &hd_sysv_queues[number];
    return hd_queue_is_valid(&q->queue) && q->queue.bytes <= HD_LETTERS_BYTES
        && hd_sysv_data[number].count == (uint64_t)has_data(q) && hd_sysv_room[number].count == (uint64_t)!has_room(q);
}

static void check_validity(int id)
{
    hd_check_valid(hd_sysv_queue_is_valid((uint32_t)id), 1, 0);
}

/* --- life ------------------------------------------------------------------------------------- */

static int make(int key, int flags)
{
    uint32_t number = hd_instances_add(&instances, "message queues");
    hd_sysv_queues[number] = (hd_sysv_queue) { .key = key, .mode = flags & 0777 };
    hd_effect();
    check_validity((int)number);
    return (int)number;
}

static int find_or_make(int key, int flags, const hd_site *site)
{
    char name[16];
    snprintf(name, sizeof name, "%x", (unsigned)key);
    int found = hd_names_find(HD_KEYS_OF_QUEUES, name, flags & IPC_CREAT, site);
    if (found >= 0)
        return (flags & IPC_CREAT) && (flags & IPC_EXCL) ? -EEXIST : found;
    if (!(flags & IPC_CREAT))
        return -ENOENT;
    int made = make(key, flags);
    hd_names_add(HD_KEYS_OF_QUEUES, name, (uint32_t)made);
    return made;
}

int hd_sysv_queue_get(int key, int flags, const hd_site *site)
{
    if (key == IPC_PRIVATE)
        return make(key, flags);
    uint32_t outer = hd_step_begin(0);
    int id = find_or_make(key, flags, site);
    hd_step_end(outer);
    return id;
}

static int was_made(int id)
{
    return id >= 0 && hd_instances_has(&instances, (uint32_t)id);
}

/* Is the queue there for a call that may wait? If it is removed later, the call has been waiting. */
static int is_there(int id, const hd_site *site)
{
    hd_life_look(&hd_sysv_lives[id], site);
    return !hd_sysv_queues[id].removed;
}

int hd_sysv_queue_remove(int id, const hd_site *site)
{
    if (!was_made(id))
        return -EINVAL;
    hd_sysv_queue *q = &hd_sysv_queues[id];
    uint32_t outer = hd_step_begin(0);
    hd_life_end(&hd_sysv_lives[id], site);
    int was_removed = q->removed;
    if (!was_removed) {
        hd_names_remove_number(HD_KEYS_OF_QUEUES, (uint32_t)id, site);
        hd_call_site = site;
        hd_data_comes(&hd_sysv_data[id]);
        hd_room_comes(&hd_sysv_room[id]);
        hd_queue_check_unreceived(&q->queue);
        hd_queue_clear(&q->queue);
        q->removed = 1;
    }
    hd_step_end(outer);
    check_validity(id);
    return was_removed ? -EINVAL : 0;
}

/* --- sending -------------------------------------------------------------------------------------- */

/* The gate of room has been passed. */
static int put(int id, long type, const void *from, size_t size, int waits, const hd_site *site)
{
    hd_sysv_queue *q = &hd_sysv_queues[id];
    if (q->removed)
        return waits ? -EIDRM : -EINVAL;
    if (q->queue.bytes + size > HD_LETTERS_BYTES && waits)
        hd_end(HD_MODEL_LIMIT, site, "waiting for more room in a message queue than it has left is not modelled yet");
    if (q->queue.bytes + size > HD_LETTERS_BYTES)
        return -EAGAIN;
    hd_queue_put(&q->queue, from, size, type, 0);
    hd_data_comes(&hd_sysv_data[id]);
    if (!has_room(q))
        hd_room_gone(&hd_sysv_room[id]);
    return 0;
}

/* A message without bytes needs no room. */
int hd_sysv_queue_send(int id, long type, const void *from, size_t size, int flags, const hd_site *site)
{
    int waits = !(flags & IPC_NOWAIT);
    if (!was_made(id) || (waits && !is_there(id, site)))
        return -EINVAL;
    uint32_t outer = hd_step_begin(0);
    int passed = hd_room_take(&hd_sysv_room[id], waits && size) || !size;
    int error = passed ? put(id, type, from, size, waits, site) : -EAGAIN;
    hd_step_end(outer);
    check_validity(id);
    return error;
}

/* --- receiving --------------------------------------------------------------------------------------- */

static int fits(long type, long wanted, int flags)
{
    if (wanted > 0)
        return (type == wanted) != ((flags & MSG_EXCEPT) != 0);
    return !wanted || type <= (wanted == LONG_MIN ? LONG_MAX : -wanted);
}

/* The message that the call gets; 0: none. */
static uint16_t choose(const hd_queue *q, long wanted, int flags)
{
    uint16_t best = 0;
    for (uint16_t i = hd_queue_next(q, 0); i; i = hd_queue_next(q, i)) {
        if (!fits(hd_queue_tag(i), wanted, flags) || (best && hd_queue_tag(i) >= hd_queue_tag(best)))
            continue;
        best = i;
        if (wanted >= 0)
            break;
    }
    return best;
}

/* The gate of data has been passed in this step. A message that is too long stays. */
static ssize_t take(int id, uint16_t message, void *to, size_t size, long *type, int flags)
{
    hd_sysv_queue *q = &hd_sysv_queues[id];
    size_t length = hd_queue_size(message);
    if (length > size && !(flags & MSG_NOERROR))
        return -E2BIG;
    length = length < size ? length : size;
    *type = hd_queue_tag(message);
    hd_queue_take_message(&q->queue, message, to, length);
    if (!has_data(q))
        hd_data_gone(&hd_sysv_data[id]);
    if (hd_sysv_room[id].count && has_room(q))
        hd_room_comes(&hd_sysv_room[id]);
    return (ssize_t)length;
}

static ssize_t receive_any(int id, void *to, size_t size, long *type, int flags)
{
    hd_sysv_queue *q = &hd_sysv_queues[id];
    int waits = !(flags & IPC_NOWAIT);
    uint32_t outer = hd_step_begin(0);
    ssize_t got = -ENOMSG;
    if (hd_data_take(&hd_sysv_data[id], waits))
        got = q->removed ? (waits ? -EIDRM : -EINVAL) : take(id, hd_queue_next(&q->queue, 0), to, size, type, flags);
    hd_step_end(outer);
    check_validity(id);
    return got;
}

enum { NOTHING_YET = 1 };

/* One look at the queue, and what follows from it: one step. */
static int look_and_take(int id, void *to, size_t size, long *type, int flags, ssize_t *got)
{
    hd_sysv_queue *q = &hd_sysv_queues[id];
    uint32_t outer = hd_step_begin(0);
    hd_data_look(&hd_sysv_data[id]);
    uint16_t message = choose(&q->queue, *type, flags);
    if (message) {
        hd_data_take(&hd_sysv_data[id], 0);
        *got = take(id, message, to, size, type, flags);
    }
    hd_step_end(outer);
    check_validity(id);
    return message || q->removed ? 0 : NOTHING_YET;
}

static ssize_t receive_typed(int id, void *to, size_t size, long *type, int flags, const hd_site *site)
{
    for (ssize_t got = -EINVAL;; got = -EIDRM) {
        uint32_t from = *hd_rt.log_count;
        hd_call_site = site;
        if (!look_and_take(id, to, size, type, flags, &got))
            return got;
        if (flags & IPC_NOWAIT)
            return -ENOMSG;
        if (!hd_spin_await(from))
            hd_end(HD_MODEL_LIMIT, site, "waiting for a message of a type is not modelled yet here");
    }
}

ssize_t hd_sysv_queue_receive(int id, void *to, size_t size, long *type, int flags, const hd_site *site)
{
    if (!was_made(id))
        return -EINVAL;
    if (*type)
        return receive_typed(id, to, size, type, flags, site);
    return (flags & IPC_NOWAIT) || is_there(id, site) ? receive_any(id, to, size, type, flags) : -EINVAL;
}

int hd_sysv_queue_status(int id, struct msqid_ds *to, const hd_site *site)
{
    if (!was_made(id))
        return -EINVAL;
    const hd_sysv_queue *q = &hd_sysv_queues[id];
    hd_call_site = site;
    hd_data_look(&hd_sysv_data[id]);
    *to = (struct msqid_ds) { .msg_qnum = q->queue.count, .msg_qbytes = HD_LETTERS_BYTES };
    to->__msg_cbytes = q->queue.bytes;
    to->msg_perm.__key = q->key;
    to->msg_perm.mode = (unsigned short)q->mode;
    return q->removed ? -EINVAL : 0;
}
