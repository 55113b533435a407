#include "runtime/sched/passing.h"

#include "runtime/core/own.h"
#include "runtime/sched/compose.h"

/* The operations on an object come in *phases*: operations of one phase commute with each other (hd_kinds.group) and
 * come after all earlier phases. So an operation catches up with the earlier phases, but not with its own. */
typedef struct phase {
    uint64_t before, during; /* the latest times in earlier phases, and in this one */
    uint8_t group;
} phase;

/* A cell of memory, each byte of which is an object, or another object. Most cells are always accessed as a whole, so
 * the bytes share a phase until they are accessed apart. Entries of another run are empty. */
typedef struct meeting {
    uint64_t where, run;
    uint8_t together; /* the bytes that share the first phase, the others are untouched; 0: each byte has its own */
    phase bytes[8];
} meeting;

enum { SLOTS = 1 << 17, FULL = SLOTS / 2 };

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
    hd_compose_stop();
}

void hd_passing_catch_up(uint64_t then)
{
    if (hd_current->now < then)
        hd_passing_add(then - hd_current->now);
}

static const phase untouched = { .group = HD_GROUP_ALONE };

/* Where the search for an object begins: neighbours in memory are neighbours in the table, since programs use them one
 * after the other. */
static uint64_t slot_of(uint64_t where)
{
    enum { NEAR_BITS = 6 };
    uint64_t near = where >> 3 & ((1 << NEAR_BITS) - 1);
    return ((where >> (3 + NEAR_BITS)) * 0x9e3779b97f4a7c15u >> 40 << NEAR_BITS | near) % SLOTS;
}

/* The entry of an object, created for an access to these bytes if it is new. NULL: the table is full. Times then may be
 * smaller than they should be, which is sound for verdicts: executions in which time matters are never called complete.
 */
static meeting *find(uint64_t where, uint8_t together)
{
    uint64_t at = slot_of(where);
    for (; meetings[at].run == run; at = (at + 1) % SLOTS)
        if (meetings[at].where == where)
            return &meetings[at];
    if (count == FULL)
        return NULL;
    count++;
    meetings[at].where = where;
    meetings[at].run = run;
    meetings[at].together = together;
    meetings[at].bytes[0] = untouched;
    return &meetings[at];
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void part(meeting *m)
{
    phase shared = m->bytes[0];
    for (uint32_t i = 0; i < 8; i++)
        m->bytes[i] = m->together >> i & 1 ? shared : untouched;
    m->together = 0;
}

/* `t` catches up with the earlier phases; an operation that does not commute with the current phase begins a new
 * one. */
static void see(hd_thread *t, phase *p, uint8_t group)
{
    if (group != p->group || group == HD_GROUP_ALONE) {
        p->before = later(p->before, p->during);
        p->during = 0;
        p->group = group;
    }
    t->now = later(t->now, p->before);
}

static void enter(const hd_thread *t, phase *p)
{
    p->during = later(p->during, t->now);
}

/* First all bytes of the access are seen, then the thread's new time is entered for each of them. */
void hd_passing_meet(hd_thread *t, const hd_op *op)
{
    const hd_kind_facts *kind = &hd_kinds[op->kind];
    uint8_t bytes = op->mask ? op->mask : 1;
    if (kind->object == HD_OBJECT_NONE || (op->flags & HD_OP_WITHDRAWN))
        return;
    meeting *m = find(op->object ^ (uint64_t)kind->object << 56, bytes);
    if (!m)
        return;
    if (m->together && m->together != bytes)
        part(m);
    uint32_t seen = m->together ? 1 : bytes;
    for (uint32_t left = seen; left; left &= left - 1)
        see(t, &m->bytes[__builtin_ctz(left)], kind->group);
    for (uint32_t left = seen; left; left &= left - 1)
        enter(t, &m->bytes[__builtin_ctz(left)]);
}
