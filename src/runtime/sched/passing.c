#include "runtime/sched/passing.h"

#include "runtime/core/own.h"

/* A byte of memory or another object. The operations on it come in *phases*: operations of one phase commute with
 * each other (hd_kinds.group) and come after all earlier phases. So an operation catches up with the earlier
 * phases, but not with its own. Entries of another run are empty. */
typedef struct meeting {
    uint64_t where, run;
    uint64_t before, during; /* the latest times in earlier phases, and in this one */
    uint8_t group;
} meeting;

enum { SLOTS = 1 << 20, FULL = SLOTS / 2 };

int hd_time_passes;
static meeting *meetings;
static uint64_t run;
static uint32_t count;

void hd_passing_init(void)
{
    meetings = hd_own_alloc(SLOTS * sizeof *meetings);
}

void hd_passing_reset(void)
{
    hd_time_passes = 0;
    run++;
    count = 0;
}

void hd_passing_add(uint64_t nanoseconds)
{
    hd_current->now += nanoseconds;
    hd_time_passes = 1;
}

void hd_passing_catch_up(uint64_t then)
{
    if (hd_current->now < then)
        hd_passing_add(then - hd_current->now);
}

/* The entry of an object, created if it is new. NULL: the table is full. Times then may be smaller than they should
 * be, which is sound for verdicts: executions in which time matters are never called complete. */
static meeting *find(uint64_t where)
{
    uint64_t at = (where * 0x9e3779b97f4a7c15u >> 40) % SLOTS;
    for (; meetings[at].run == run; at = (at + 1) % SLOTS)
        if (meetings[at].where == where)
            return &meetings[at];
    if (count == FULL)
        return NULL;
    count++;
    meetings[at] = (meeting) { .where = where, .run = run, .group = HD_GROUP_ALONE };
    return &meetings[at];
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* `t` catches up with the earlier phases of the object; an operation that does not commute with the current phase
 * begins a new one. */
static void see(hd_thread *t, meeting *m, uint8_t group)
{
    if (group != m->group || group == HD_GROUP_ALONE) {
        m->before = later(m->before, m->during);
        m->during = 0;
        m->group = group;
    }
    t->now = later(t->now, m->before);
}

/* First all bytes of the access are seen, then the thread's new time is entered for each of them. */
void hd_passing_meet(hd_thread *t, const hd_op *op)
{
    const hd_kind_facts *kind = &hd_kinds[op->kind];
    uint64_t first = op->object ^ (uint64_t)kind->object << 56;
    uint32_t bytes = op->mask ? op->mask : 1, found = 0;
    meeting *met[8];
    if (kind->object == HD_OBJECT_NONE || (op->flags & HD_OP_WITHDRAWN))
        return;
    for (uint32_t i = 0; i < 8; i++)
        if ((bytes >> i & 1) && (met[found] = find(first + i)))
            see(t, met[found++], kind->group);
    for (uint32_t i = 0; i < found; i++)
        met[i]->during = later(met[i]->during, t->now);
}
