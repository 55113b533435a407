#include "runtime/sync/makers.h"

#include "abi/system.h"
#include "abi/wire.h"
#include "runtime/core/end.h"
#include "runtime/core/state.h"
#include "runtime/kernel/descriptors.h"
#include "runtime/sched/sched.h"
#include "runtime/sync/fs.h"

#include <string.h>

enum { NUMBERS = HD_DESCRIPTORS, MOST_OPERATIONS = 4096 };

static struct number {
    uint32_t position; /* in the log, when it was made */
    uint16_t maker; /* + 1; 0: it was made while there was a single thread, or in another process */
    uint16_t known_to; /* + 1: the thread that was last seen to know it */
    uint8_t was_closed;
} numbers[HD_MOST_PROCESSES][NUMBERS];

static uint64_t active; /* processes that have made or closed numbers beside other threads */

void hd_makers_reset(void)
{
    for (; active; active &= active - 1)
        memset(numbers[__builtin_ctzll(active)], 0, sizeof *numbers);
}

static struct number *number_of(int fd)
{
    return fd >= 0 && fd < NUMBERS ? &numbers[hd_current->process][fd] : NULL;
}

void hd_makers_made(int fd)
{
    struct number *n = number_of(fd);
    if (!n || !hd_fs_varies(fd))
        return;
    active |= 1ull << hd_current->process;
    n->maker = (uint16_t)(hd_current->id + 1);
    n->position = *hd_rt.log_count;
    n->known_to = 0;
}

void hd_makers_closed(int fd)
{
    struct number *n = number_of(fd);
    if (!n || !hd_fs_varies(fd))
        return;
    active |= 1ull << hd_current->process;
    n->was_closed = 1;
    n->maker = 0;
}

void hd_makers_copy(uint32_t to)
{
    if (active >> to & 1)
        memset(numbers[to], 0, sizeof *numbers);
}

/* --- who can know ------------------------------------------------------------------------- */

/* What the maker has done since, and the threads that come after that. */
typedef struct reach {
    uint8_t threads[HD_MAX_THREADS];
    const hd_op *operations[MOST_OPERATIONS];
    uint32_t count;
} reach;

/* Operations of one group commute (abi/kinds.h). */
static int conflict(const hd_op *a, const hd_op *b)
{
    uint8_t group = hd_kinds[a->kind].group;
    if (a->object != b->object || hd_kinds[a->kind].object != hd_kinds[b->kind].object)
        return 0;
    if (group == hd_kinds[b->kind].group && group != HD_GROUP_ALONE)
        return 0;
    return !hd_kind_is_memory(a->kind) || (a->mask & b->mask);
}

static int comes_after(const reach *r, const hd_op *op)
{
    if (op->kind == HD_EDGE)
        return r->threads[op->object];
    for (uint32_t i = 0; i < r->count; i++)
        if (conflict(r->operations[i], op))
            return 1;
    return 0;
}

/* With too many operations everything counts as known. */
static int can_know(const struct number *n, uint32_t thread)
{
    static reach r;
    memset(r.threads, 0, *hd_rt.thread_count);
    r.count = 0;
    r.threads[n->maker - 1] = 1;
    for (uint32_t i = n->position; i < *hd_rt.log_count && !r.threads[thread]; i++) {
        const hd_op *op = &hd_rt.log[i];
        if (op->kind == HD_BRANCH || (op->flags & HD_OP_WITHDRAWN) || hd_fs_is_of_table(op->object))
            continue;
        if (!r.threads[op->thread] && comes_after(&r, op))
            r.threads[op->thread] = 1;
        if (!r.threads[op->thread] || op->kind == HD_EDGE)
            continue;
        if (r.count == MOST_OPERATIONS)
            return 1;
        r.operations[r.count++] = op;
    }
    return r.threads[thread];
}

void hd_makers_check(int fd, const hd_site *site)
{
    struct number *n = number_of(fd);
    uint32_t self = hd_current->id;
    if (!n || !n->maker || !n->was_closed || n->maker == self + 1 || n->known_to == self + 1)
        return;
    if (can_know(n, self)) {
        n->known_to = (uint16_t)(self + 1);
        return;
    }
    hd_end(HD_USE_AFTER_CLOSE, site,
        "descriptor %d was closed, and another thread has got the number: nothing orders that before this use", fd);
}
