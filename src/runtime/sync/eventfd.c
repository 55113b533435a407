#include "runtime/sync/eventfd_internal.h"

#include "abi/valid.h"
#include "runtime/core/assert.h"
#include "runtime/sched/expiry.h"
#include "runtime/sched/sched.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>

enum { MOST_POSTS = 64 };
static const uint64_t greatest = UINT64_MAX - 1;

hd_eventfd_state hd_eventfd_states[HD_EVENTFDS];
uint8_t hd_eventfd_objects[HD_EVENTFDS][HD_EVENTFD_LIVES];
static int used; /* descriptors below this number may have been used in this run */

void hd_eventfd_reset(void)
{
    if (!used)
        return; /* a memset of nothing in a page that was never written to takes a tenth of a short execution */
    memset(hd_eventfd_states, 0, (size_t)used * sizeof *hd_eventfd_states);
    used = 0;
}

int hd_eventfd_is(int fd)
{
    return fd >= 0 && fd < used && hd_eventfd_states[fd].is_open;
}

int hd_eventfd_is_valid(int fd)
{
    const hd_eventfd_state *e = &hd_eventfd_states[fd];
    return e->value <= greatest && e->life < HD_EVENTFD_LIVES && (e->is_open || !e->value);
}

static void check_validity(int fd)
{
    hd_check_valid(hd_eventfd_is_valid(fd), 1, 0);
}

static const void *object_of(const hd_eventfd_state *e)
{
    return &hd_eventfd_objects[e - hd_eventfd_states][e->life];
}

const void *hd_eventfd_object(int fd)
{
    return object_of(&hd_eventfd_states[fd]);
}

static hd_eventfd_state *event_of(const hd_op *op)
{
    return &hd_eventfd_states[(op->object - (uint64_t)hd_eventfd_objects) / sizeof *hd_eventfd_objects];
}

/* --- operations ---------------------------------------------------------------------- */

static int has_value(hd_thread *t, hd_op *op)
{
    (void)t;
    return event_of(op)->value > 0;
}

static int has_value_or_fails(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    int waits = op->kind == HD_EVENTFD_POLL || op->kind == HD_EVENTFD_UNREADY;
    if (has_value(t, op))
        op->kind = waits ? HD_EVENTFD_POLL : HD_EVENTFD_READ;
    else
        op->kind = waits ? HD_EVENTFD_UNREADY : HD_EVENTFD_EMPTY;
    return 1;
}

static int raises_or_adds(hd_thread *t, hd_op *op)
{
    op->flags |= HD_OP_TRY;
    op->kind = has_value(t, op) ? HD_EVENTFD_ADD : HD_EVENTFD_RAISE;
    return 1;
}

/* Each unit is a post; together they are one step. */
static void post(const hd_eventfd_state *e, uint64_t value)
{
    const hd_site *site = hd_call_site;
    if (value > MOST_POSTS && hd_exploring())
        hd_end(HD_MODEL_LIMIT, site, "writing more than %d to an eventfd with EFD_SEMAPHORE is not modelled yet",
            MOST_POSTS);
    uint32_t outer = value > 1 ? hd_step_begin(0) : 0;
    for (uint64_t i = 0; i < value; i++) {
        hd_call_site = site;
        hd_perform(HD_EVENTFD_POST, object_of(e), NULL);
    }
    if (value > 1)
        hd_step_end(outer);
}

static void add(hd_eventfd_state *e, uint64_t value)
{
    if (value && e->is_semaphore)
        post(e, value);
    else if (value)
        hd_perform(HD_EVENTFD_RAISE, object_of(e), raises_or_adds);
}

/* --- life ------------------------------------------------------------------------------ */

int hd_eventfd_make(int fd, uint32_t value, int flags)
{
    if (fd >= HD_EVENTFDS || hd_eventfd_states[fd].life + 1 >= HD_EVENTFD_LIVES) {
        if (hd_exploring())
            hd_end(HD_MODEL_LIMIT, hd_call_site,
                "more eventfds than %d, or one number more than %d times, is not "
                "modelled yet",
                HD_EVENTFDS, HD_EVENTFD_LIVES - 1);
        return EMFILE;
    }
    hd_eventfd_state *e = &hd_eventfd_states[fd];
    used = fd >= used ? fd + 1 : used;
    e->life++;
    e->is_open = 1;
    e->is_semaphore = (flags & EFD_SEMAPHORE) != 0;
    add(e, value);
    e->value = value;
    check_validity(fd);
    return 0;
}

void hd_eventfd_close(int fd)
{
    hd_eventfd_state *e = &hd_eventfd_states[fd];
    hd_perform_life(HD_EVENTFD_CLOSE, object_of(e));
    e->is_open = 0;
    e->value = 0;
    check_validity(fd);
}

/* --- use ------------------------------------------------------------------------------- */

static int blocks(int fd)
{
    return !(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

int hd_eventfd_take(int fd, uint64_t *value)
{
    hd_eventfd_state *e = &hd_eventfd_states[fd];
    uint8_t life = e->life;
    const hd_op *op = hd_perform(HD_EVENTFD_READ, object_of(e), blocks(fd) ? has_value : has_value_or_fails);
    int empty = op->kind == HD_EVENTFD_EMPTY;
    if (!e->is_open || e->life != life)
        return EBADF;
    if (empty)
        return EAGAIN;
    *value = e->is_semaphore ? 1 : e->value;
    e->value -= *value;
    hd_effect();
    check_validity(fd);
    return 0;
}

int hd_eventfd_add(int fd, uint64_t value)
{
    hd_eventfd_state *e = &hd_eventfd_states[fd];
    uint8_t life = e->life;
    const hd_site *site = hd_call_site;
    if (value > greatest)
        return EINVAL;
    add(e, value);
    if (!e->is_open || e->life != life)
        return EBADF;
    if (value > greatest - e->value)
        hd_end(HD_MODEL_LIMIT, site, "an eventfd that is full is not modelled yet");
    e->value += value;
    hd_effect();
    check_validity(fd);
    return 0;
}

int hd_eventfd_is_readable(int fd)
{
    const hd_op *op = hd_perform(HD_EVENTFD_POLL, object_of(&hd_eventfd_states[fd]), has_value_or_fails);
    return op && op->kind == HD_EVENTFD_POLL; /* withdrawn: the wait of a poll has timed out */
}

int hd_eventfd_await(int fd, const struct timespec *until)
{
    const void *object = object_of(&hd_eventfd_states[fd]);
    if (!until) {
        hd_perform(HD_EVENTFD_POLL, object, has_value);
        return 1;
    }
    return hd_perform_until(HD_EVENTFD_POLL, object, until, has_value, has_value_or_fails)->kind == HD_EVENTFD_POLL;
}
