/* Violations as findings: which two accesses, and how the candidates developed. */
#include "check/lockset_internal.h"

#include "abi/lives.h"
#include "base/error.h"
#include "check/checks.h"
#include "event/op.h"

#include <stdio.h>

typedef struct counterpart {
    hd_lockset *lockset;
    const hd_execution *e;
    const hd_op *later;
    hd_lock_set held; /* by the later access */
    uint32_t entry, apart; /* the last access of another thread; the last one that conflicts and has no common lock */
} counterpart;

static void match(void *context, const hd_lockset_access *a)
{
    counterpart *c = context;
    const hd_op *op = &c->e->log[a->entry];
    if (op->thread == c->later->thread)
        return;
    bool conflicts = hd_ops_conflict(op, c->later);
    if (conflicts || c->entry == ~0u)
        c->entry = a->entry;
    if (conflicts && hd_lockset_meet(c->lockset, a->held, c->held) == HD_NO_LOCKS)
        c->apart = a->entry;
}

static uint32_t number_at(const hd_execution *e, uint32_t entry)
{
    uint32_t slot = e->log[entry].thread;
    return hd_thread_number(e->log, e->log_count, hd_identity(slot, hd_life_at(e->log, entry, slot)));
}

static void write_place(char *text, size_t size, const hd_site *site)
{
    snprintf(text, size, "%s:%u", site ? site->file : "?", site ? site->line : 0);
}

static hd_finding describe(const hd_execution *e, const char *what, uint32_t earlier, uint32_t later, uint64_t byte)
{
    const hd_op *a = &e->log[earlier], *b = &e->log[later];
    hd_finding f = {
        .kind = HD_FINDING_LOCK_DISCIPLINE, .thread = b->thread, .entries = { earlier, later }, .variable = byte
    };
    snprintf(f.message, sizeof f.message, "lock discipline: %s: %s by T%u, %s by T%u", what, hd_op_text(a->kind),
        number_at(e, earlier), hd_op_text(b->kind), number_at(e, later));
    write_place(f.places[0], sizeof *f.places, a->site);
    write_place(f.places[1], sizeof *f.places, b->site);
    f.key = hd_hash((hd_finding_location(a->site) + hd_finding_location(b->site)) ^ f.kind);
    return f;
}

/* --- the same lock in every execution ------------------------------------------------ */

/* Is it the same object in every execution? */
static bool is_lasting(const hd_lockset_variable *v)
{
    return v->cell < HD_HEAP_BASE || v->cell >= HD_OWN_BASE;
}

/* Meets the candidates of the byte in all executions so far with those of this one. False: they have no lock in
 * common, and `*before` are those of the others. */
static bool keep_candidates(hd_lockset *l, uint64_t byte, hd_lock_set candidates, hd_lock_set *before)
{
    uint64_t *kept = hd_map_put(&l->kept, byte);
    *before = *kept ? (hd_lock_set)(*kept - 1) : HD_ALL_LOCKS;
    hd_lock_set both = hd_lockset_meet(l, *before, candidates);
    if (both != HD_NO_LOCKS)
        *kept = (uint64_t)both + 1;
    return both != HD_NO_LOCKS;
}

/* Other executions protect the variable by other locks. */
static void add_change(hd_lockset_violations *all, const hd_lockset_variable *v, hd_lock_set before)
{
    hd_lockset_violation change = { v->last, v->candidates, (uint32_t)__builtin_ctz(v->mask), .changed = true,
        .before = before };
    hd_vec_push(all, change);
}

static void compare_executions(hd_lockset *l, hd_lockset_violations *all)
{
    for (size_t i = 0; i < l->variables.count; i++) {
        const hd_lockset_variable *v = &l->variables.items[i];
        hd_lock_set before = HD_NO_LOCKS;
        if (v->mode != HD_MODE_SHARED_MODIFIED || !v->plain || v->told || !is_lasting(v))
            continue;
        bool same = !l->suspects;
        for (uint32_t byte = 0; byte < 8 && same; byte++)
            same = !(v->mask & 1u << byte) || keep_candidates(l, v->cell + byte, v->candidates, &before);
        if (!same)
            add_change(all, v, before);
    }
}

void hd_lockset_keep(hd_lockset *l, const hd_execution *e)
{
    hd_lockset_violations none = { .memory = l->memory };
    if (!l->same_lock)
        return;
    hd_lockset_walk(l, e->log, e->log_count, NULL, NULL);
    compare_executions(l, &none);
    hd_vec_fini(&none);
}

/* --- checking an execution ----------------------------------------------------------- */

/* Which lock protects the variable elsewhere is not part of the key: a replay of one execution does not know it. */
static void describe_change(const hd_lockset *l, const hd_lockset_violation *v, hd_finding *f)
{
    uint32_t count;
    const uint64_t *locks = hd_lockset_locks(l, v->before, &count);
    f->suspected = l->suspects;
    f->elsewhere = count ? locks[0] : 0;
    f->key = hd_hash(f->key);
}

/* The earlier access to show beside it: if possible one that conflicts with it and has no lock in common with it. */
static hd_finding finding_of(hd_lockset *l, const hd_execution *e, const hd_lockset_violation *v)
{
    const hd_op *op = &e->log[v->entry];
    counterpart c = { l, e, op, v->held, ~0u, ~0u };
    hd_lockset_history(l, e->log, v->entry, op->object + v->byte, match, &c);
    hd_assert(c.entry != ~0u);
    const char *what = v->changed ? "not the same lock protects this variable in all executions"
                                  : "no lock protects all accesses to this variable";
    hd_finding f = describe(e, what, c.apart != ~0u ? c.apart : c.entry, v->entry, op->object + v->byte);
    f.eraser = l->eraser;
    if (v->changed)
        describe_change(l, v, &f);
    return f;
}

/* Atomic accesses alone need no lock, so a log without plain ones has no violation. */
static bool has_plain(const hd_execution *e)
{
    for (uint32_t i = 0; i < e->log_count; i++)
        if (hd_kind_is_memory(e->log[i].kind) && hd_kind_is_plain(e->log[i].kind))
            return true;
    return false;
}

void hd_lockset_check(
    hd_lockset *l, const hd_execution *e, void (*found)(void *context, const hd_finding *f), void *context)
{
    if (!l || !has_plain(e))
        return;
    hd_lockset_walk(l, e->log, e->log_count, NULL, NULL);
    hd_lockset_violations all = { .memory = l->memory }; /* a copy: hd_lockset_history walks, too */
    for (size_t i = 0; i < l->violations.count; i++)
        hd_vec_push(&all, l->violations.items[i]);
    if (l->same_lock)
        compare_executions(l, &all);
    for (size_t i = 0; i < all.count; i++) {
        hd_finding f = finding_of(l, e, &all.items[i]);
        found(context, &f);
    }
    hd_vec_fini(&all);
}

typedef struct history {
    uint64_t cell;
    uint8_t mask; /* the byte */
    hd_vec(hd_lockset_access) accesses;
} history;

static void remember(void *context, hd_lockset *l, uint32_t entry, hd_lock_set locks, hd_lockset_variable *v)
{
    (void)l;
    history *h = context;
    if (v->cell == h->cell && v->mask & h->mask)
        hd_vec_push(&h->accesses, ((hd_lockset_access) { entry, locks, v->candidates }));
}

void hd_lockset_history(hd_lockset *l, const hd_op *log, uint32_t last, uint64_t byte,
    void (*each)(void *context, const hd_lockset_access *a), void *context)
{
    history h = { byte & ~7ull, (uint8_t)(1u << (byte & 7)), { .memory = l->memory } };
    hd_lockset_rewind(l, 0);
    hd_lockset_walk(l, log, last + 1, remember, &h);
    for (size_t i = 0; i < h.accesses.count; i++)
        each(context, &h.accesses.items[i]);
    hd_vec_fini(&h.accesses);
}
