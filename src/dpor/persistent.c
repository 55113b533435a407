#include "dpor/persistent.h"

#include "abi/lives.h"
#include "base/error.h"
#include "base/vec.h"
#include "check/lockset.h"
#include "event/op.h"

#include <string.h>

enum { NO_ENTRY = 0xffffffffu };

/* Where a thread is in a state. */
typedef enum where {
    GONE, /* it has ended, or does not exist yet */
    AT_OP,
    JOINS, /* waits for the end of a thread */
    SLEEPS, /* waits at an object until another wakes it */
    STUCK, /* for ever */
    UNCLEAR
} where;

typedef struct situation {
    where where;
    const hd_op *op; /* AT_OP */
    uint64_t object; /* SLEEPS; JOINS: the thread */
} situation;

struct hd_persistent {
    hd_memory *memory;
    hd_allowed *allowed;
    hd_lockset *lockset; /* NULL: steps are not composed */
    const hd_execution *e;
    hd_vec(uint32_t) next; /* per entry of the log: the next of its thread, or NO_ENTRY */
    hd_vec(uint32_t) starts; /* per step: its first entry */
    uint32_t here[HD_MAX_THREADS]; /* per thread: its first entry from the state on */
    uint32_t before[HD_MAX_THREADS]; /* … and the operation before it that says where it sleeps */
    situation situations[HD_MAX_THREADS];
    hd_thread_set *set;
    hd_vec(uint32_t) open; /* threads of the set whose next operations have not been compared yet */
    hd_vec(hd_allowed_range) ranges; /* what one thread may access next */
    bool all; /* the set is all threads */
};

hd_persistent *hd_persistent_open(hd_allowed *allowed, const hd_settings *composed, hd_memory *memory)
{
    hd_settings checked = composed ? *composed : (hd_settings) { 0 };
    hd_persistent *p = hd_alloc(memory, sizeof *p);
    p->memory = p->next.memory = p->starts.memory = p->open.memory = p->ranges.memory = memory;
    p->allowed = allowed;
    checked.discipline = composed != NULL;
    p->lockset = hd_lockset_open(&checked, memory);
    return p;
}

void hd_persistent_close(hd_persistent *p)
{
    hd_vec_fini(&p->next);
    hd_vec_fini(&p->starts);
    hd_vec_fini(&p->open);
    hd_vec_fini(&p->ranges);
    hd_lockset_close(p->lockset);
    hd_release(p->memory, p, sizeof *p);
}

/* --- where threads are ---------------------------------------------------------------------- */

static bool begins_step(const hd_op *op)
{
    return hd_op_is_done(op) && !(op->flags & HD_OP_CONTINUES);
}

void hd_persistent_begin(hd_persistent *p, const hd_execution *e)
{
    p->e = e;
    hd_vec_clear(&p->next);
    hd_vec_clear(&p->starts);
    memset(p->here, 0xff, sizeof p->here);
    memset(p->before, 0xff, sizeof p->before);
    hd_vec_reserve(&p->next, e->log_count);
    p->next.count = e->log_count;
    for (uint32_t i = e->log_count; i-- > 0;) {
        uint32_t thread = e->log[i].thread;
        p->next.items[i] = p->here[thread];
        if (e->log[i].kind != HD_BRANCH)
            p->here[thread] = i;
    }
    for (uint32_t i = 0; i < e->log_count; i++)
        if (begins_step(&e->log[i]))
            hd_vec_push(&p->starts, i);
    if (p->lockset) {
        hd_lockset_keep(p->lockset, e);
        hd_lockset_follow(p->lockset, e->log, 0);
    }
}

/* If its thread sleeps next, does it do so at the object of this operation, or not at an earlier one's? */
static bool says_where(const hd_op *op)
{
    return begins_step(op) || (hd_op_is_done(op) && hd_kinds[op->kind].role == HD_ROLE_SLEEPS);
}

static void advance(hd_persistent *p, uint32_t entry)
{
    for (uint32_t t = 0; t < p->e->thread_count; t++)
        while (p->here[t] < entry) {
            if (says_where(&p->e->log[p->here[t]]))
                p->before[t] = p->here[t];
            p->here[t] = p->next.items[p->here[t]];
        }
    if (p->lockset && entry)
        hd_lockset_follow(p->lockset, p->e->log, entry);
}

/* The thread performs nothing from here on: it is as it is at the end. */
static situation final_situation(const hd_thread_view *v)
{
    switch (v->status) {
    case HD_THREAD_UNUSED:
    case HD_THREAD_DONE:
        return (situation) { .where = GONE };
    case HD_THREAD_AT_OP:
        return (situation) { .where = AT_OP, .op = &v->pending };
    case HD_THREAD_WAITING:
        if (v->waits_for == HD_WAIT_ASSUMPTION)
            return (situation) { .where = STUCK };
        if (v->waits_for == HD_WAIT_JOIN)
            return (situation) { .where = JOINS, .object = v->wait_object };
        if (hd_wait_is_sleep(v->waits_for) || v->waits_for == HD_WAIT_BARRIER)
            return (situation) { .where = SLEEPS, .object = v->wait_object };
        return (situation) { .where = UNCLEAR };
    default:
        return (situation) { .where = UNCLEAR };
    }
}

/* The thread waits in this state, and the edge ends that. Where it sleeps says its last operation. */
static situation waiting(const hd_persistent *p, const hd_op *edge)
{
    uint32_t last = p->before[edge->thread];
    const hd_op *op = last == NO_ENTRY ? NULL : &p->e->log[last];
    if (hd_edge_starts(edge))
        return (situation) { .where = GONE };
    if (edge->mask == HD_WAIT_JOIN)
        return (situation) { .where = JOINS, .object = edge->object };
    uint8_t role = op ? hd_kinds[op->kind].role : HD_ROLE_NONE;
    if (role == HD_ROLE_SLEEPS || role == HD_ROLE_ARRIVES)
        return (situation) { .where = SLEEPS, .object = op->object };
    return (situation) { .where = UNCLEAR };
}

static situation situation_of(const hd_persistent *p, uint32_t thread)
{
    uint32_t entry = p->here[thread];
    if (entry == NO_ENTRY)
        return final_situation(&p->e->threads[thread]);
    const hd_op *op = &p->e->log[entry];
    if (op->kind == HD_EDGE)
        return waiting(p, op);
    return begins_step(op) ? (situation) { .where = AT_OP, .op = op } : (situation) { .where = UNCLEAR };
}

/* --- the set ------------------------------------------------------------------------------------ */

static void include(hd_persistent *p, uint32_t thread)
{
    if (p->situations[thread].where == GONE || hd_thread_set_has(p->set, thread))
        return;
    hd_thread_set_add(p->set, thread);
    hd_vec_push(&p->open, thread);
}

/* A slot that has had several threads has none whose function is known. */
static const hd_bound *bound_of(const hd_persistent *p, uint32_t thread)
{
    const hd_thread_view *v = &p->e->threads[thread];
    return hd_allowed_of(p->allowed, v->life ? NULL : v->start);
}

/* Can the thread move before one of the set does? */
static bool may_move(const hd_persistent *p, uint32_t thread)
{
    const situation *s = &p->situations[thread];
    bool waits = s->where == JOINS && hd_thread_set_has(p->set, (uint32_t)s->object);
    return s->where != GONE && s->where != STUCK && !waits;
}

static bool meets_ranges(const hd_persistent *p, const hd_bound *b)
{
    for (size_t i = 0; i < p->ranges.count; i++)
        if (hd_allowed_meets(p->allowed, b, p->ranges.items[i]))
            return true;
    return false;
}

/* Includes the threads that may interfere with accesses to `ranges`, and through unknown pointers as `unknown` says
 * (NULL: none). */
static void include_interfering(hd_persistent *p, const hd_bound *unknown)
{
    for (uint32_t t = 0; t < p->e->thread_count; t++) {
        if (hd_thread_set_has(p->set, t) || !may_move(p, t))
            continue;
        const hd_bound *b = bound_of(p, t);
        if (meets_ranges(p, b) || (unknown && hd_allowed_unknown_meets(p->allowed, unknown, b)))
            include(p, t);
    }
}

/* A lock or the like, and whatever else of its memory is used as one. */
static void add_lock(hd_persistent *p, uint64_t object)
{
    hd_vec_push(&p->ranges, ((hd_allowed_range) { object, 1, true, true, hd_allowed_site(p->allowed, p->e, object) }));
}

static void add_object(hd_persistent *p, uint8_t kind, uint64_t object, uint8_t mask)
{
    uint8_t strongest = hd_kind_strongest(kind);
    switch (hd_op_class(kind)) {
    case HD_OBJECT_NONE:
        break;
    case HD_OBJECT_THREAD:
    case HD_OBJECT_PROCESS:
    case HD_OBJECT_EVENTFD:
        p->all = true; /* no bound includes these */
        break;
    case HD_OBJECT_MEMORY:
        if (mask) {
            uint32_t first = (uint32_t)__builtin_ctz(mask), last = 31 - (uint32_t)__builtin_clz(mask);
            hd_vec_push(&p->ranges,
                ((hd_allowed_range) { object + first, last - first + 1, !hd_kind_looks(strongest), false,
                    hd_allowed_site(p->allowed, p->e, object + first) }));
        }
        break;
    default:
        add_lock(p, object);
    }
}

static void add_operation(hd_persistent *p, const hd_op *op)
{
    uint8_t also = hd_kinds[hd_kind_strongest(op->kind)].also;
    p->all |= (op->flags & (HD_OP_SPUN | HD_OP_ALONE)) != 0;
    add_object(p, op->kind, op->object, op->mask);
    if (also)
        add_object(p, also, hd_also_object(op), 0);
}

/* What the discipline allows the thread in the invisible operations behind its next one (pendInvisOps). Releases and
 * signals among them do not matter: while the thread holds the lock, no other can do anything that depends on them.
 * Returns the thread's bound if the operations may include some through unknown pointers. */
static const hd_bound *add_invisible(hd_persistent *p, uint32_t thread, const hd_op *op)
{
    const hd_bound *b = bound_of(p, thread);
    uint8_t role = hd_kinds[hd_kind_strongest(op->kind)].role;
    bool takes = role == HD_ROLE_TAKES || role == HD_ROLE_SHARES;
    const hd_lockset_next n = { thread, takes ? op->object : 0, role == HD_ROLE_TAKES };
    p->all |= b->anything;
    for (uint32_t i = 0; i < b->count && !p->all; i++) {
        const hd_allowed_range *r = &b->ranges[i];
        if (!r->uses && hd_lockset_allows(p->lockset, &n, r->address, r->size, r->changes))
            hd_vec_push(&p->ranges, *r);
    }
    return hd_lockset_allows_new(p->lockset, &n, false) ? b : NULL;
}

static bool is_release_or_signal(const hd_op *op)
{
    return op->flags & HD_OP_COMPOSED && !hd_kind_is_memory(op->kind);
}

static void close_over(hd_persistent *p, uint32_t thread, const hd_sleeper *next)
{
    const situation *s = &p->situations[thread];
    const hd_bound *unknown = NULL;
    bool known = thread == next->thread && next->op_count && next->ops->choices <= 1;
    hd_vec_clear(&p->ranges);
    switch (s->where) {
    case AT_OP:
        add_operation(p, s->op);
        for (uint32_t i = 0; i < next->op_count && known; i++)
            if (!is_release_or_signal(&next->ops[i]))
                add_operation(p, &next->ops[i]);
        /* It may begin an atomic block: then the thread's bound is anything (abi/confined.def). */
        p->all |= !known && bound_of(p, thread)->anything;
        if (!known && p->lockset)
            unknown = add_invisible(p, thread, s->op);
        break;
    case SLEEPS:
        add_lock(p, s->object);
        break;
    case JOINS:
        include(p, (uint32_t)s->object);
        break;
    case UNCLEAR:
        p->all = true;
        break;
    default:
        break;
    }
    if (!p->all)
        include_interfering(p, unknown);
}

bool hd_persistent_find(hd_persistent *p, uint32_t step, const hd_sleeper *next, hd_thread_set *set)
{
    hd_assert(step < p->starts.count);
    *set = (hd_thread_set) { 0 };
    p->set = set;
    p->all = false;
    hd_vec_clear(&p->open);
    advance(p, p->starts.items[step]);
    for (uint32_t t = 0; t < p->e->thread_count; t++)
        p->situations[t] = situation_of(p, t);
    include(p, next->thread);
    while (p->open.count && !p->all)
        close_over(p, hd_vec_pop(&p->open), next);
    return !p->all;
}
