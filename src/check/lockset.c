#include "check/lockset_internal.h"

#include "abi/lives.h"
#include "abi/valid.h"
#include "base/error.h"
#include "event/op.h"

#include <string.h>

hd_lockset *hd_lockset_open(const hd_settings *settings, hd_memory *memory)
{
    if (!settings->discipline)
        return NULL;
    hd_lockset *l = hd_alloc(memory, sizeof *l);
    l->memory = l->variables.memory = l->walked.memory = l->changes.memory = l->violations.memory = memory;
    hd_knowledge_init(&l->knows, memory);
    hd_lock_sets_init(&l->sets, memory);
    l->eraser = settings->eraser;
    l->same_lock = settings->same_lock;
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        l->threads[i].holds.memory = memory;
    hd_map_init(&l->cells, memory);
    hd_map_init(&l->kept, memory);
    return l;
}

void hd_lockset_suspect(hd_lockset *l)
{
    if (l)
        l->suspects = l->same_lock;
}

void hd_lockset_close(hd_lockset *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        hd_vec_fini(&l->threads[i].holds);
    hd_vec_fini(&l->walked);
    hd_vec_fini(&l->changes);
    hd_vec_fini(&l->violations);
    hd_vec_fini(&l->variables);
    hd_map_fini(&l->cells);
    hd_map_fini(&l->kept);
    hd_knowledge_fini(&l->knows);
    hd_lock_sets_fini(&l->sets);
    hd_release(l->memory, l, sizeof *l);
}

const uint64_t *hd_lockset_locks(const hd_lockset *l, hd_lock_set set, uint32_t *count)
{
    return hd_lock_sets_locks(&l->sets, set, count);
}

bool hd_lockset_has(const hd_lockset *l, hd_lock_set set, uint64_t lock)
{
    return hd_lock_sets_has(&l->sets, set, lock);
}

/* --- locks that threads hold --------------------------------------------------------- */

static hd_lockset_hold *find_hold(hd_lockset_held *h, uint64_t lock)
{
    for (size_t i = 0; i < h->holds.count; i++)
        if (h->holds.items[i].lock == lock)
            return &h->holds.items[i];
    return NULL;
}

static void take(hd_lockset_held *h, uint64_t lock, bool exclusive)
{
    hd_lockset_hold *known = find_hold(h, lock);
    if (known)
        known->count++;
    else
        hd_vec_push(&h->holds, ((hd_lockset_hold) { lock, 1, exclusive }));
    h->known = false;
}

static void give(hd_lockset_held *h, uint64_t lock)
{
    hd_lockset_hold *known = find_hold(h, lock);
    if (!known || --known->count)
        return;
    *known = *hd_vec_last(&h->holds);
    h->holds.count--;
    h->known = false;
}

static hd_lock_set set_of(hd_lockset *l, const hd_lockset_held *h, bool exclusive)
{
    uint32_t begun = hd_lock_sets_begin(&l->sets);
    for (size_t i = 0; i < h->holds.count; i++)
        if (h->holds.items[i].exclusive || !exclusive)
            hd_lock_sets_add(&l->sets, begun, h->holds.items[i].lock);
    return hd_lock_sets_end(&l->sets, begun);
}

/* The locks that an access of the thread holds. A read lock does not protect writes. */
static hd_lock_set held_at(hd_lockset *l, const hd_op *op)
{
    hd_lockset_held *h = &l->threads[op->thread];
    if (!h->known) {
        h->any = set_of(l, h, false);
        h->exclusive = set_of(l, h, true);
        h->known = true;
    }
    return hd_kind_looks(op->kind) ? h->any : h->exclusive;
}

static hd_lockset_change *note_change(hd_lockset *l, int what, uint32_t index)
{
    hd_lockset_change *c = hd_vec_add(&l->changes);
    c->entry = (uint32_t)l->walked.count;
    c->what = what;
    c->index = index;
    return c;
}

static void note_given(hd_lockset *l, uint32_t thread, const hd_lockset_hold *known)
{
    note_change(l, HD_LOCK_GIVEN, thread)->lock = *known;
    give(&l->threads[thread], known->lock);
}

static void note_lock(hd_lockset *l, const hd_op *op)
{
    hd_lockset_held *h = &l->threads[op->thread];
    switch (hd_kinds[op->kind].role) {
    case HD_ROLE_TAKES:
    case HD_ROLE_SHARES:
        take(h, op->object, hd_kinds[op->kind].role == HD_ROLE_TAKES);
        note_change(l, HD_LOCK_TAKEN, op->thread)->lock = (hd_lockset_hold) { .lock = op->object };
        break;
    case HD_ROLE_GIVES:
    case HD_ROLE_UNSHARES:
        if (find_hold(h, op->object))
            note_given(l, op->thread, find_hold(h, op->object));
        break;
    default:
        break;
    }
}

/* The thread begins: its slot may have had another one that has ended with locks. */
static void forget_locks(hd_lockset *l, uint32_t thread)
{
    while (l->threads[thread].holds.count)
        note_given(l, thread, hd_vec_last(&l->threads[thread].holds));
}

/* --- variables ----------------------------------------------------------------------- */

/* Does the access initialise memory outside of the heap? */
static bool initialises(const hd_op *op)
{
    bool heap = hd_op_address(op) >= HD_HEAP_BASE && hd_op_address(op) < HD_STACK_BASE;
    return op->flags & HD_OP_INITIAL && hd_kind_is_memory(op->kind) && hd_kind_is_plain(op->kind) && !heap;
}

/* What threads know after the entries that were walked. Only programs that initialise in this way need it. */
static void collect_knowledge(hd_lockset *l)
{
    hd_knowledge_clear(&l->knows);
    for (size_t i = 0; i < l->walked.count; i++)
        hd_knowledge_note(&l->knows, &l->walked.items[i]);
}

/* Cuts the bytes of `mask` out of the variable. Both parts have been accessed together so far. */
static void split(hd_lockset *l, uint32_t v, uint8_t mask)
{
    hd_lockset_variable rest = l->variables.items[v];
    note_change(l, HD_VARIABLE_CHANGED, v)->before = rest;
    note_change(l, HD_VARIABLE_ADDED, 0)->first = *hd_map_get(&l->cells, rest.cell);
    rest.mask &= (uint8_t)~mask;
    l->variables.items[v].mask &= mask;
    l->variables.items[v].next = (uint32_t)l->variables.count;
    hd_vec_push(&l->variables, rest);
}

/* Makes variables of exactly the bytes that the operation accesses; returns the first of the cell. */
static uint32_t variables_of(hd_lockset *l, const hd_op *op)
{
    uint64_t *first = hd_map_put(&l->cells, op->object);
    uint8_t missing = op->mask;
    for (uint32_t v = *first ? (uint32_t)*first - 1 : HD_NO_VARIABLE; v != HD_NO_VARIABLE;
         v = l->variables.items[v].next) {
        uint8_t mask = l->variables.items[v].mask;
        if ((mask & op->mask) && (mask & ~op->mask))
            split(l, v, op->mask);
        missing &= (uint8_t)~mask;
    }
    if (missing) {
        hd_lockset_variable new = {
            .cell = op->object, .next = *first ? (uint32_t)*first - 1 : HD_NO_VARIABLE, .mask = missing
        };
        new.candidates = HD_ALL_LOCKS;
        note_change(l, HD_VARIABLE_ADDED, 0)->first = *first;
        hd_vec_push(&l->variables, new);
        *first = l->variables.count;
    }
    return (uint32_t)*first - 1;
}

/* Updates the variable by one access; true if the access counts. */
static bool update(hd_lockset *l, hd_lockset_variable *v, const hd_op *op, hd_lock_set locks)
{
    bool writes = !hd_kind_looks(op->kind);
    if (v->mode == HD_MODE_VIRGIN) {
        v->mode = HD_MODE_EXCLUSIVE;
        v->first_thread = op->thread;
    } else if (v->mode == HD_MODE_EXCLUSIVE && op->thread != v->first_thread) {
        v->mode = HD_MODE_SHARED;
    }
    if (l->eraser && v->mode == HD_MODE_EXCLUSIVE)
        return false;
    v->written |= writes;
    v->plain |= hd_kind_is_plain(op->kind);
    v->candidates = hd_lockset_meet(l, v->candidates, locks);
    if (v->mode == HD_MODE_SHARED && v->written)
        v->mode = HD_MODE_SHARED_MODIFIED;
    return true;
}

/* An access that initialises the variable; false: others have used it before, so it counts like any other. */
static bool initialise(hd_lockset *l, hd_lockset_variable *v, const hd_op *op, hd_lock_set locks)
{
    bool alone = v->mode == HD_MODE_VIRGIN || (v->mode == HD_MODE_EXCLUSIVE && v->first_thread == op->thread);
    if (!alone || (v->initial.pending && v->initial.thread != op->thread))
        return false;
    v->initial.held = v->initial.pending ? hd_lockset_meet(l, v->initial.held, locks) : locks;
    v->initial.writes |= !hd_kind_looks(op->kind);
    v->initial.pending = true;
    v->initial.thread = op->thread;
    v->initial.entry = (uint32_t)l->walked.count;
    v->initial.published = hd_knowledge_of(&l->knows, op->thread, op->thread);
    return true;
}

/* Is it an access of a thread that does not know of those that have initialised the variable? */
static bool is_untold(hd_lockset *l, const hd_lockset_variable *v, const hd_op *op)
{
    return v->initial.pending && op->thread != v->initial.thread
        && hd_knowledge_of(&l->knows, op->thread, v->initial.thread) <= v->initial.published;
}

/* The accesses that have initialised the variable count from now on. */
static void count_initial(hd_lockset *l, hd_lockset_variable *v)
{
    v->initial.pending = false;
    if (v->mode == HD_MODE_VIRGIN) {
        v->mode = HD_MODE_EXCLUSIVE;
        v->first_thread = v->initial.thread;
    } else if (v->mode == HD_MODE_EXCLUSIVE && v->first_thread != v->initial.thread) {
        v->mode = HD_MODE_SHARED;
    }
    v->written |= v->initial.writes;
    v->plain = true;
    v->candidates = hd_lockset_meet(l, v->candidates, v->initial.held);
}

static bool is_unprotected(const hd_lockset_variable *v)
{
    return v->mode == HD_MODE_SHARED_MODIFIED && v->plain && v->candidates == HD_NO_LOCKS;
}

/* Is it an access that the discipline is about? */
static bool is_access(const hd_lockset *l, const hd_op *op)
{
    if (!hd_kind_is_memory(op->kind) || op->flags & (HD_OP_ALONE | HD_OP_LOOK))
        return false;
    return l->eraser || !hd_kind_is_plain(op->kind) || !(op->flags & HD_OP_INITIAL) || initialises(op);
}

/* --- walking through a log ----------------------------------------------------------- */

static void undo(hd_lockset *l, const hd_lockset_change *c)
{
    switch (c->what) {
    case HD_VARIABLE_CHANGED:
        l->variables.items[c->index] = c->before;
        break;
    case HD_VARIABLE_ADDED:
        *hd_map_put(&l->cells, hd_vec_pop(&l->variables).cell) = c->first;
        break;
    case HD_LOCK_TAKEN:
        give(&l->threads[c->index], c->lock.lock);
        break;
    case HD_LOCK_GIVEN:
        take(&l->threads[c->index], c->lock.lock, c->lock.exclusive);
        break;
    }
}

void hd_lockset_rewind(hd_lockset *l, uint32_t count)
{
    while (l->changes.count && hd_vec_last(&l->changes)->entry >= count) {
        undo(l, hd_vec_last(&l->changes));
        l->changes.count--;
    }
    while (l->violations.count && hd_vec_last(&l->violations)->entry >= count)
        l->violations.count--;
    l->walked.count = count;
    if (l->initialises)
        collect_knowledge(l);
}

/* How many entries the log has in common with the one that was walked. */
static uint32_t common_with(const hd_lockset *l, const hd_op *log, uint32_t count)
{
    enum { AT_ONCE = 16 };
    uint32_t i = 0, most = count < l->walked.count ? count : (uint32_t)l->walked.count;
    while (i + AT_ONCE <= most && !memcmp(&l->walked.items[i], &log[i], AT_ONCE * sizeof *log))
        i += AT_ONCE;
    while (i < most && !memcmp(&l->walked.items[i], &log[i], sizeof *log))
        i++;
    return i;
}

static void note_violation(hd_lockset *l, hd_lock_set locks, hd_lockset_variable *v)
{
    if (v->told || !is_unprotected(v))
        return;
    v->told = true;
    hd_vec_push(&l->violations,
        ((hd_lockset_violation) {
            (uint32_t)l->walked.count, locks, (uint32_t)__builtin_ctz(v->mask), .changed = false }));
}

static bool is_changed(const hd_lockset_variable *a, const hd_lockset_variable *b)
{
    return a->mode != b->mode || a->candidates != b->candidates || a->written != b->written || a->plain != b->plain
        || a->told != b->told || a->first_thread != b->first_thread || a->last != b->last
        || a->initial.pending != b->initial.pending || a->initial.entry != b->initial.entry;
}

/* Is the variable after the access what it was before? That is so for most accesses. */
static bool is_as_before(hd_lockset *l, const hd_lockset_variable *v, const hd_op *op, hd_lock_set locks)
{
    bool same_mode =
        v->mode == HD_MODE_SHARED_MODIFIED || (v->mode == HD_MODE_EXCLUSIVE && v->first_thread == op->thread);
    return same_mode && v->written && v->plain && !v->initial.pending && !initialises(op) && !l->same_lock
        && hd_lockset_meet(l, v->candidates, locks) == v->candidates && (v->told || !is_unprotected(v));
}

static void access_variable(hd_lockset *l, uint32_t index, const hd_op *op, hd_lockset_on_update *each, void *context)
{
    hd_lock_set locks = held_at(l, op);
    if (!each && !l->eraser && is_as_before(l, &l->variables.items[index], op, locks))
        return;
    hd_lockset_variable *v = &l->variables.items[index], before = *v;
    bool counts = l->eraser || !initialises(op) || !initialise(l, v, op, locks);
    if (counts && is_untold(l, v, op)) {
        count_initial(l, v);
        if (each)
            each(context, l, v->initial.entry, v->initial.held, v);
    }
    if (counts && update(l, v, op, locks)) {
        if (l->same_lock)
            v->last = (uint32_t)l->walked.count;
        note_violation(l, locks, v);
        if (each)
            each(context, l, (uint32_t)l->walked.count, locks, v);
    }
    if (is_changed(v, &before))
        note_change(l, HD_VARIABLE_CHANGED, index)->before = before;
}

static void walk_entry(hd_lockset *l, const hd_op *op, hd_lockset_on_update *each, void *context)
{
    if (hd_edge_starts(op))
        forget_locks(l, op->thread);
    if (!l->initialises && initialises(op)) {
        l->initialises = true;
        collect_knowledge(l);
    }
    if (l->initialises)
        hd_knowledge_note(&l->knows, op);
    if (!hd_op_is_done(op))
        return;
    note_lock(l, op);
    if (!is_access(l, op))
        return;
    for (uint32_t v = variables_of(l, op); v != HD_NO_VARIABLE; v = l->variables.items[v].next)
        if (l->variables.items[v].mask & op->mask)
            access_variable(l, v, op, each, context);
}

static void walk_on(hd_lockset *l, const hd_op *log, uint32_t count, hd_lockset_on_update *each, void *context)
{
    for (uint32_t i = (uint32_t)l->walked.count; i < count; i++) {
        walk_entry(l, &log[i], each, context);
        hd_vec_push(&l->walked, log[i]);
    }
}

void hd_lockset_walk(hd_lockset *l, const hd_op *log, uint32_t count, hd_lockset_on_update *each, void *context)
{
    hd_lockset_rewind(l, common_with(l, log, count));
    walk_on(l, log, count, each, context);
    hd_check_valid(hd_lockset_is_valid(l), l->variables.count + l->sets.locks.count + l->changes.count, count);
}

void hd_lockset_follow(hd_lockset *l, const hd_op *log, uint32_t count)
{
    if (!count)
        hd_lockset_rewind(l, 0);
    walk_on(l, log, count, NULL, NULL);
}

/* --- validity ------------------------------------------------------------------------ */

static bool variable_is_valid(const hd_lockset *l, const hd_lockset_variable *v)
{
    for (uint32_t i = v->next; i != HD_NO_VARIABLE; i = l->variables.items[i].next)
        if (l->variables.items[i].cell != v->cell || l->variables.items[i].mask & v->mask)
            return false;
    return v->mask && (v->candidates == HD_ALL_LOCKS || v->candidates < l->sets.sets.count)
        && (v->mode == HD_MODE_SHARED_MODIFIED) <= v->written;
}

static bool change_is_valid(const hd_lockset *l, size_t i)
{
    const hd_lockset_change *c = &l->changes.items[i];
    uint32_t before = i ? l->changes.items[i - 1].entry : 0;
    return c->entry >= before && c->entry < l->walked.count && (c->what != HD_VARIABLE_CHANGED || c->before.mask);
}

bool hd_lockset_is_valid(const hd_lockset *l)
{
    if (!hd_lock_sets_are_valid(&l->sets))
        return false;
    for (size_t i = 0; i < l->variables.count; i++)
        if (!variable_is_valid(l, &l->variables.items[i]))
            return false;
    for (size_t i = 0; i < l->changes.count; i++)
        if (!change_is_valid(l, i))
            return false;
    return true;
}
