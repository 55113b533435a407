#include "check/lockset.h"

#include "abi/lives.h"
#include "abi/valid.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "check/checks.h"
#include "event/op.h"

#include <stdio.h>
#include <string.h>

/* As in the paper. EXCLUSIVE: used by one thread. SHARED: used by several, and not written since it counts. */
typedef enum mode { VIRGIN, EXCLUSIVE, SHARED, SHARED_MODIFIED } mode;

enum { NO_VARIABLE = 0xffffffffu };

/* Larger objects are not examined byte by byte: some of them may be accessed. */
enum { MOST_BYTES = 4096 };

typedef struct variable {
    uint64_t cell;
    uint32_t next; /* another variable of the cell, or NO_VARIABLE */
    uint8_t mask;
    uint8_t mode;
    bool written, plain, told;
    uint16_t first_thread;
    hd_lock_set candidates;
    uint32_t last; /* with same_lock: the entry of its last access that counts */
    struct {
        bool pending; /* accesses have initialised it, and do not count so far */
        bool writes;
        uint16_t thread;
        uint32_t entry; /* of the last of them */
        uint32_t published; /* the thread had published so often before it */
        hd_lock_set held; /* at all of them */
    } initial;
} variable;

/* A lock that a thread holds. */
typedef struct hold {
    uint64_t lock;
    uint32_t count; /* read locks may be taken several times */
    bool exclusive;
} hold;

typedef struct held {
    hd_vec(hold) holds;
    hd_lock_set any, exclusive; /* as sets; … */
    bool known; /* … if they are up to date */
} held;

typedef struct set {
    uint32_t first, count; /* in `locks` */
} set;

/* An access after which its variable is not protected. */
typedef struct violation {
    uint32_t entry;
    hd_lock_set held;
    uint32_t byte; /* of the cell: one of the variable's */
    bool changed; /* it is protected here, but not by the locks of other executions … */
    hd_lock_set before; /* … which were these (none: not known) */
} violation;

typedef hd_vec(violation) violations;

/* What an entry of the log has changed, to be undone. */
typedef struct change {
    uint32_t entry;
    enum { VARIABLE_CHANGED, VARIABLE_ADDED, LOCK_TAKEN, LOCK_GIVEN } what;
    uint32_t index; /* of the variable; of a lock: its thread */
    union {
        variable before; /* VARIABLE_CHANGED */
        uint64_t first; /* VARIABLE_ADDED: the first variable of its cell + 1, before */
        hold lock;
    };
} change;

/* How often each thread has published something (hd_kind_publishes), as far as a thread knows, or an object tells.
 * Locks tell nothing. Row t is thread t's; further rows are those of objects. */
typedef struct knowledge {
    hd_vec(uint32_t) rows; /* of HD_MAX_THREADS numbers */
    hd_map objects; /* key → its row */
} knowledge;

struct hd_lockset {
    hd_memory *memory;
    bool eraser, same_lock, suspects;
    hd_vec(hd_op) walked; /* the log whose entries are in the variables, locks and violations */
    hd_vec(change) changes; /* the oldest first */
    violations violations;
    hd_vec(variable) variables;
    hd_map cells; /* the cell → its first variable + 1 */
    held threads[HD_MAX_THREADS];
    bool initialises; /* an access has initialised memory outside of the heap, so … */
    knowledge knows; /* … this is up to date */
    hd_vec(uint64_t) locks;
    hd_vec(set) sets;
    hd_map numbers; /* hash of a set → its number + 1 */
    hd_map kept; /* with same_lock: a byte → its candidates in all executions so far + 1 */
    hd_map meets; /* two sets → their intersection + 1 */
};

hd_lockset *hd_lockset_open(const hd_settings *settings, hd_memory *memory)
{
    if (!settings->discipline)
        return NULL;
    hd_lockset *l = hd_alloc(memory, sizeof *l);
    l->memory = l->variables.memory = l->locks.memory = l->sets.memory = memory;
    l->walked.memory = l->changes.memory = l->violations.memory = l->knows.rows.memory = memory;
    hd_map_init(&l->knows.objects, memory);
    l->eraser = settings->eraser;
    l->same_lock = settings->same_lock;
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        l->threads[i].holds.memory = memory;
    hd_map_init(&l->cells, memory);
    hd_map_init(&l->numbers, memory);
    hd_map_init(&l->meets, memory);
    hd_map_init(&l->kept, memory);
    hd_vec_push(&l->sets, ((set) { 0, 0 })); /* HD_NO_LOCKS */
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
    hd_vec_fini(&l->locks);
    hd_vec_fini(&l->sets);
    hd_map_fini(&l->cells);
    hd_map_fini(&l->numbers);
    hd_map_fini(&l->meets);
    hd_map_fini(&l->kept);
    hd_map_fini(&l->knows.objects);
    hd_vec_fini(&l->knows.rows);
    hd_release(l->memory, l, sizeof *l);
}

/* --- sets of locks ------------------------------------------------------------------- */

const uint64_t *hd_lockset_locks(const hd_lockset *l, hd_lock_set number, uint32_t *count)
{
    const set *s = &l->sets.items[number];
    *count = s->count;
    return l->locks.items + s->first;
}

bool hd_lockset_has(const hd_lockset *l, hd_lock_set number, uint64_t lock)
{
    uint32_t count;
    const uint64_t *locks = hd_lockset_locks(l, number, &count);
    for (uint32_t i = 0; i < count; i++)
        if (locks[i] == lock)
            return true;
    return false;
}

static bool is_set(const hd_lockset *l, hd_lock_set number, const uint64_t *locks, uint32_t count)
{
    uint32_t has;
    const uint64_t *known = hd_lockset_locks(l, number, &has);
    return has == count && !memcmp(known, locks, count * sizeof *locks);
}

/* The number of the set whose sorted locks are the last ones of `locks`, from `first` on. They stay there if the set is
 * new. */
static hd_lock_set intern(hd_lockset *l, uint32_t first)
{
    uint32_t count = (uint32_t)l->locks.count - first;
    const uint64_t *locks = l->locks.items + first;
    if (!count)
        return HD_NO_LOCKS;
    for (uint64_t hash = hd_hash_bytes(locks, count * sizeof *locks, 1);; hash++) {
        uint64_t *number = hd_map_put(&l->numbers, hash);
        if (!*number) {
            hd_vec_push(&l->sets, ((set) { first, count }));
            *number = l->sets.count;
            return (hd_lock_set)(*number - 1);
        }
        if (is_set(l, (hd_lock_set)(*number - 1), locks, count)) {
            l->locks.count = first;
            return (hd_lock_set)(*number - 1);
        }
    }
}

static hd_lock_set intersect(hd_lockset *l, hd_lock_set a, hd_lock_set b)
{
    uint32_t first = (uint32_t)l->locks.count;
    set x = l->sets.items[a], y = l->sets.items[b];
    for (uint32_t i = 0, k = 0; i < x.count && k < y.count;) {
        uint64_t left = l->locks.items[x.first + i], right = l->locks.items[y.first + k];
        if (left == right)
            hd_vec_push(&l->locks, left);
        i += left <= right;
        k += right <= left;
    }
    return intern(l, first);
}

static hd_lock_set meet(hd_lockset *l, hd_lock_set a, hd_lock_set b)
{
    if (a == HD_ALL_LOCKS || b == HD_ALL_LOCKS || a == b)
        return a == HD_ALL_LOCKS ? b : a;
    if (a == HD_NO_LOCKS || b == HD_NO_LOCKS)
        return HD_NO_LOCKS;
    uint64_t key = (uint64_t)a << 32 | b, *known = hd_map_get(&l->meets, key);
    if (known)
        return (hd_lock_set)(*known - 1);
    hd_lock_set both = intersect(l, a, b);
    *hd_map_put(&l->meets, key) = (uint64_t)both + 1;
    return both;
}

/* --- locks that threads hold ----------------------------------------------------------- */

static hold *find_hold(held *h, uint64_t lock)
{
    for (size_t i = 0; i < h->holds.count; i++)
        if (h->holds.items[i].lock == lock)
            return &h->holds.items[i];
    return NULL;
}

static void take(held *h, uint64_t lock, bool exclusive)
{
    hold *known = find_hold(h, lock);
    if (known)
        known->count++;
    else
        hd_vec_push(&h->holds, ((hold) { lock, 1, exclusive }));
    h->known = false;
}

static void give(held *h, uint64_t lock)
{
    hold *known = find_hold(h, lock);
    if (!known || --known->count)
        return;
    *known = *hd_vec_last(&h->holds);
    h->holds.count--;
    h->known = false;
}

/* Appends the lock to those from `first` on, which are sorted. */
static void insert(hd_lockset *l, uint32_t first, uint64_t lock)
{
    hd_vec_push(&l->locks, lock);
    for (size_t i = l->locks.count - 1; i > first && l->locks.items[i - 1] > lock; i--) {
        l->locks.items[i] = l->locks.items[i - 1];
        l->locks.items[i - 1] = lock;
    }
}

static hd_lock_set set_of(hd_lockset *l, const held *h, bool exclusive)
{
    uint32_t first = (uint32_t)l->locks.count;
    for (size_t i = 0; i < h->holds.count; i++)
        if (h->holds.items[i].exclusive || !exclusive)
            insert(l, first, h->holds.items[i].lock);
    return intern(l, first);
}

/* The locks that an access of the thread holds. A read lock does not protect writes. */
static hd_lock_set held_at(hd_lockset *l, const hd_op *op)
{
    held *h = &l->threads[op->thread];
    if (!h->known) {
        h->any = set_of(l, h, false);
        h->exclusive = set_of(l, h, true);
        h->known = true;
    }
    return hd_kind_looks(op->kind) ? h->any : h->exclusive;
}

static change *note_change(hd_lockset *l, int what, uint32_t index)
{
    change *c = hd_vec_add(&l->changes);
    c->entry = (uint32_t)l->walked.count;
    c->what = what;
    c->index = index;
    return c;
}

static void note_given(hd_lockset *l, uint32_t thread, const hold *known)
{
    note_change(l, LOCK_GIVEN, thread)->lock = *known;
    give(&l->threads[thread], known->lock);
}

static void note_lock(hd_lockset *l, const hd_op *op)
{
    held *h = &l->threads[op->thread];
    switch (hd_kinds[op->kind].role) {
    case HD_ROLE_TAKES:
    case HD_ROLE_SHARES:
        take(h, op->object, hd_kinds[op->kind].role == HD_ROLE_TAKES);
        note_change(l, LOCK_TAKEN, op->thread)->lock = (hold) { .lock = op->object };
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

/* --- what threads know of each other ------------------------------------------------------ */

static bool initialises(const hd_op *op)
{
    bool heap = hd_op_address(op) >= HD_HEAP_BASE && hd_op_address(op) < HD_STACK_BASE;
    return op->flags & HD_OP_INITIAL && hd_kind_is_memory(op->kind) && hd_kind_is_plain(op->kind) && !heap;
}

static uint32_t *row_of(knowledge *k, uint64_t row)
{
    return k->rows.items + row * HD_MAX_THREADS;
}

static void add_rows(knowledge *k, uint32_t count)
{
    hd_vec_reserve(&k->rows, (size_t)count * HD_MAX_THREADS);
    memset(k->rows.items + k->rows.count, 0, (size_t)count * HD_MAX_THREADS * sizeof *k->rows.items);
    k->rows.count += (size_t)count * HD_MAX_THREADS;
}

static void learn(knowledge *k, uint64_t to, uint64_t from)
{
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        if (row_of(k, to)[i] < row_of(k, from)[i])
            row_of(k, to)[i] = row_of(k, from)[i];
}

/* The row of the object, or of the token of a semaphore that the operation adds or takes. */
static uint64_t object_row(knowledge *k, const hd_op *op)
{
    uint64_t *row = hd_map_put(&k->objects, hd_hash(hd_op_key(op)) ^ hd_op_token(op));
    if (!*row) {
        *row = k->rows.count / HD_MAX_THREADS;
        add_rows(k, 1);
    }
    return *row;
}

/* Does it tell something, or is it told, in every execution with the same trace? Then its order with the other
 * operation is part of the trace: it conflicts with everything on its object, or both have the same token. Which thread
 * comes to a lock first is not: sections commute; nor is what comes to a queue while other data is taken from it. */
static bool is_telling(const hd_op *op)
{
    bool is_lock = hd_objects[hd_kinds[op->kind].object].waits_for == HD_WAITS_HOLDER;
    bool counts = hd_objects[hd_kinds[op->kind].object].starts == HD_STARTS_VALUE;
    if (hd_op_has_stretch(op))
        return false;
    if (hd_kind_acquires(op->kind) && !hd_kind_publishes(op->kind))
        return !is_lock;
    return !is_lock && (counts ? hd_op_token(op) != 0 : hd_kinds[op->kind].group == HD_GROUP_ALONE);
}

/* Creation and the end of a thread publish what it has done. */
static void note_knowledge(knowledge *k, const hd_op *op)
{
    if (op->kind == HD_EDGE && op->mask != HD_WAIT_TIME) {
        row_of(k, op->object)[op->object]++;
        learn(k, op->thread, op->object);
    }
    if (!hd_op_is_done(op))
        return;
    bool publishes = hd_kind_publishes(op->kind), acquires = hd_kind_acquires(op->kind);
    row_of(k, op->thread)[op->thread] += publishes;
    if (!(publishes || acquires) || !is_telling(op))
        return;
    uint64_t row = object_row(k, op);
    if (acquires)
        learn(k, op->thread, row);
    if (publishes)
        learn(k, row, op->thread);
}

/* What threads know after the entries that were walked. Only programs that initialise in this way need it. */
static void collect_knowledge(hd_lockset *l)
{
    hd_vec_clear(&l->knows.rows);
    hd_map_clear(&l->knows.objects);
    add_rows(&l->knows, HD_MAX_THREADS);
    for (size_t i = 0; i < l->walked.count; i++)
        note_knowledge(&l->knows, &l->walked.items[i]);
}

/* --- variables -------------------------------------------------------------------------- */

/* Cuts the bytes of `mask` out of the variable. Both parts have been accessed together so far. */
static void split(hd_lockset *l, uint32_t v, uint8_t mask)
{
    variable rest = l->variables.items[v];
    note_change(l, VARIABLE_CHANGED, v)->before = rest;
    note_change(l, VARIABLE_ADDED, 0)->first = *hd_map_get(&l->cells, rest.cell);
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
    for (uint32_t v = *first ? (uint32_t)*first - 1 : NO_VARIABLE; v != NO_VARIABLE; v = l->variables.items[v].next) {
        uint8_t mask = l->variables.items[v].mask;
        if ((mask & op->mask) && (mask & ~op->mask))
            split(l, v, op->mask);
        missing &= (uint8_t)~mask;
    }
    if (missing) {
        variable new = { .cell = op->object, .next = *first ? (uint32_t)*first - 1 : NO_VARIABLE, .mask = missing };
        new.candidates = HD_ALL_LOCKS;
        note_change(l, VARIABLE_ADDED, 0)->first = *first;
        hd_vec_push(&l->variables, new);
        *first = l->variables.count;
    }
    return (uint32_t)*first - 1;
}

/* Updates the variable by one access; true if the access counts. */
static bool update(hd_lockset *l, variable *v, const hd_op *op, hd_lock_set locks)
{
    bool writes = !hd_kind_looks(op->kind);
    if (v->mode == VIRGIN) {
        v->mode = EXCLUSIVE;
        v->first_thread = op->thread;
    } else if (v->mode == EXCLUSIVE && op->thread != v->first_thread) {
        v->mode = SHARED;
    }
    if (l->eraser && v->mode == EXCLUSIVE)
        return false;
    v->written |= writes;
    v->plain |= hd_kind_is_plain(op->kind);
    v->candidates = meet(l, v->candidates, locks);
    if (v->mode == SHARED && v->written)
        v->mode = SHARED_MODIFIED;
    return true;
}

/* An access that initialises the variable; false: others have used it before, so it counts like any other. */
static bool initialise(hd_lockset *l, variable *v, const hd_op *op, hd_lock_set locks)
{
    bool alone = v->mode == VIRGIN || (v->mode == EXCLUSIVE && v->first_thread == op->thread);
    if (!alone || (v->initial.pending && v->initial.thread != op->thread))
        return false;
    v->initial.held = v->initial.pending ? meet(l, v->initial.held, locks) : locks;
    v->initial.writes |= !hd_kind_looks(op->kind);
    v->initial.pending = true;
    v->initial.thread = op->thread;
    v->initial.entry = (uint32_t)l->walked.count;
    v->initial.published = row_of(&l->knows, op->thread)[op->thread];
    return true;
}

/* Is it an access of a thread that does not know of those that have initialised the variable? */
static bool is_untold(hd_lockset *l, const variable *v, const hd_op *op)
{
    return v->initial.pending && op->thread != v->initial.thread
        && row_of(&l->knows, op->thread)[v->initial.thread] <= v->initial.published;
}

/* The accesses that have initialised the variable count from now on. */
static void count_initial(hd_lockset *l, variable *v)
{
    v->initial.pending = false;
    if (v->mode == VIRGIN) {
        v->mode = EXCLUSIVE;
        v->first_thread = v->initial.thread;
    } else if (v->mode == EXCLUSIVE && v->first_thread != v->initial.thread) {
        v->mode = SHARED;
    }
    v->written |= v->initial.writes;
    v->plain = true;
    v->candidates = meet(l, v->candidates, v->initial.held);
}

static bool is_unprotected(const variable *v)
{
    return v->mode == SHARED_MODIFIED && v->plain && v->candidates == HD_NO_LOCKS;
}

/* Is it an access that the discipline is about? */
static bool is_access(const hd_lockset *l, const hd_op *op)
{
    if (!hd_kind_is_memory(op->kind) || op->flags & (HD_OP_ALONE | HD_OP_LOOK))
        return false;
    return l->eraser || !hd_kind_is_plain(op->kind) || !(op->flags & HD_OP_INITIAL) || initialises(op);
}

/* --- findings ---------------------------------------------------------------------------- */

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
    if (conflicts && meet(c->lockset, a->held, c->held) == HD_NO_LOCKS)
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

/* --- walking through a log ------------------------------------------------------------------ */

/* Called for each access that counts, after it was entered into the variable; for those that initialise, when they
 * begin to count. */
typedef void on_update(void *context, hd_lockset *l, uint32_t entry, hd_lock_set locks, variable *v);

static void undo(hd_lockset *l, const change *c)
{
    switch (c->what) {
    case VARIABLE_CHANGED:
        l->variables.items[c->index] = c->before;
        break;
    case VARIABLE_ADDED:
        *hd_map_put(&l->cells, hd_vec_pop(&l->variables).cell) = c->first;
        break;
    case LOCK_TAKEN:
        give(&l->threads[c->index], c->lock.lock);
        break;
    case LOCK_GIVEN:
        take(&l->threads[c->index], c->lock.lock, c->lock.exclusive);
        break;
    }
}

/* Back to the first `count` entries. */
static void rewind_to(hd_lockset *l, uint32_t count)
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

static void note_violation(hd_lockset *l, hd_lock_set locks, variable *v)
{
    if (v->told || !is_unprotected(v))
        return;
    v->told = true;
    hd_vec_push(&l->violations,
        ((violation) { (uint32_t)l->walked.count, locks, (uint32_t)__builtin_ctz(v->mask), .changed = false }));
}

static bool is_changed(const variable *a, const variable *b)
{
    return a->mode != b->mode || a->candidates != b->candidates || a->written != b->written || a->plain != b->plain
        || a->told != b->told || a->first_thread != b->first_thread || a->last != b->last
        || a->initial.pending != b->initial.pending || a->initial.entry != b->initial.entry;
}

/* Is the variable after the access what it was before? That is so for most accesses. */
static bool is_as_before(hd_lockset *l, const variable *v, const hd_op *op, hd_lock_set locks)
{
    bool same_mode = v->mode == SHARED_MODIFIED || (v->mode == EXCLUSIVE && v->first_thread == op->thread);
    return same_mode && v->written && v->plain && !v->initial.pending && !initialises(op) && !l->same_lock
        && meet(l, v->candidates, locks) == v->candidates && (v->told || !is_unprotected(v));
}

static void access_variable(hd_lockset *l, uint32_t index, const hd_op *op, on_update *each, void *context)
{
    hd_lock_set locks = held_at(l, op);
    if (!each && !l->eraser && is_as_before(l, &l->variables.items[index], op, locks))
        return;
    variable *v = &l->variables.items[index], before = *v;
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
        note_change(l, VARIABLE_CHANGED, index)->before = before;
}

static void walk_entry(hd_lockset *l, const hd_op *op, on_update *each, void *context)
{
    if (hd_edge_starts(op))
        forget_locks(l, op->thread);
    if (!l->initialises && initialises(op)) {
        l->initialises = true;
        collect_knowledge(l);
    }
    if (l->initialises)
        note_knowledge(&l->knows, op);
    if (!hd_op_is_done(op))
        return;
    note_lock(l, op);
    if (!is_access(l, op))
        return;
    for (uint32_t v = variables_of(l, op); v != NO_VARIABLE; v = l->variables.items[v].next)
        if (l->variables.items[v].mask & op->mask)
            access_variable(l, v, op, each, context);
}

static void walk_on(hd_lockset *l, const hd_op *log, uint32_t count, on_update *each, void *context)
{
    for (uint32_t i = (uint32_t)l->walked.count; i < count; i++) {
        walk_entry(l, &log[i], each, context);
        hd_vec_push(&l->walked, log[i]);
    }
}

/* Goes through the entries that differ from those of the last log; `each` (may be NULL) is called for these. */
static void walk(hd_lockset *l, const hd_op *log, uint32_t count, on_update *each, void *context)
{
    rewind_to(l, common_with(l, log, count));
    walk_on(l, log, count, each, context);
    hd_check_valid(hd_lockset_is_valid(l), l->variables.count + l->locks.count + l->changes.count, count);
}

/* --- the state after a part of an execution ---------------------------------------------------- */

void hd_lockset_follow(hd_lockset *l, const hd_op *log, uint32_t count)
{
    if (!count)
        rewind_to(l, 0);
    walk_on(l, log, count, NULL, NULL);
}

/* Is it a lock that may protect the access? A write needs it exclusively. */
static bool is_candidate(const hd_lockset *l, hd_lock_set candidates, const hold *h, bool writes)
{
    return (h->exclusive || !writes) && (candidates == HD_ALL_LOCKS || hd_lockset_has(l, candidates, h->lock));
}

/* The lock o1 of MLDallows: the thread holds it, or is about to take it. */
static bool holds_candidate(const hd_lockset *l, hd_lock_set candidates, const hd_lockset_next *n, bool writes)
{
    const held *h = &l->threads[n->thread];
    if (n->lock && is_candidate(l, candidates, &(hold) { .lock = n->lock, .exclusive = n->exclusive }, writes))
        return true;
    for (size_t i = 0; i < h->holds.count; i++)
        if (is_candidate(l, candidates, &h->holds.items[i], writes))
            return true;
    return false;
}

/* The four cases of MLDallows. mayInit is true: any thread may be the first to access a variable. With MLD' every
 * access counts, in all modes, so each needs a candidate: without one, it and an access that depends on it are a
 * violation. */
static bool allows(
    const hd_lockset *l, const variable *v, hd_lock_set candidates, const hd_lockset_next *n, bool writes)
{
    bool locked = holds_candidate(l, candidates, n, writes);
    if (!l->eraser)
        return locked;
    switch ((mode)v->mode) {
    case VIRGIN:
        return true;
    case EXCLUSIVE:
        return v->first_thread == n->thread || !writes || locked;
    case SHARED:
        return !writes || locked;
    default:
        return locked;
    }
}

bool hd_lockset_allows_new(const hd_lockset *l, const hd_lockset_next *n, bool writes)
{
    return allows(l, &(variable) { .mode = VIRGIN }, HD_ALL_LOCKS, n, writes);
}

static const variable *variable_at(const hd_lockset *l, uint64_t byte)
{
    const uint64_t *first = hd_map_get(&l->cells, byte & ~7ull);
    for (uint32_t v = first && *first ? (uint32_t)*first - 1 : NO_VARIABLE; v != NO_VARIABLE;
         v = l->variables.items[v].next)
        if (l->variables.items[v].mask & 1u << (byte & 7))
            return &l->variables.items[v];
    return NULL;
}

/* With same_lock, locks that did not protect the byte in earlier executions are no candidates. */
static bool allows_byte(hd_lockset *l, uint64_t byte, const hd_lockset_next *n, bool writes)
{
    static const variable unused = { .mode = VIRGIN, .candidates = HD_ALL_LOCKS };
    const variable *known = variable_at(l, byte), *v = known ? known : &unused;
    const uint64_t *kept = l->same_lock ? hd_map_get(&l->kept, byte) : NULL;
    hd_lock_set candidates = kept && *kept ? meet(l, v->candidates, (hd_lock_set)(*kept - 1)) : v->candidates;
    return allows(l, v, candidates, n, writes);
}

bool hd_lockset_allows(hd_lockset *l, const hd_lockset_next *n, uint64_t address, uint64_t size, bool writes)
{
    if (size > MOST_BYTES)
        return hd_lockset_allows_new(l, n, writes);
    for (uint64_t byte = address; byte < address + size; byte++)
        if (allows_byte(l, byte, n, writes))
            return true;
    return false;
}

/* --- the same lock in every execution -------------------------------------------------------- */

/* Is it the same object in every execution? */
static bool is_lasting(const variable *v)
{
    return v->cell < HD_HEAP_BASE || v->cell >= HD_OWN_BASE;
}

/* Meets the candidates of the byte in all executions so far with those of this one. False: they have no lock in
 * common, and `*before` are those of the others. */
static bool keep_candidates(hd_lockset *l, uint64_t byte, hd_lock_set candidates, hd_lock_set *before)
{
    uint64_t *kept = hd_map_put(&l->kept, byte);
    *before = *kept ? (hd_lock_set)(*kept - 1) : HD_ALL_LOCKS;
    hd_lock_set both = meet(l, *before, candidates);
    if (both != HD_NO_LOCKS)
        *kept = (uint64_t)both + 1;
    return both != HD_NO_LOCKS;
}

/* Other executions protect the variable by other locks. */
static void add_change(violations *all, const variable *v, hd_lock_set before)
{
    violation change = { v->last, v->candidates, (uint32_t)__builtin_ctz(v->mask), .changed = true, .before = before };
    hd_vec_push(all, change);
}

static void compare_executions(hd_lockset *l, violations *all)
{
    for (size_t i = 0; i < l->variables.count; i++) {
        const variable *v = &l->variables.items[i];
        hd_lock_set before = HD_NO_LOCKS;
        if (v->mode != SHARED_MODIFIED || !v->plain || v->told || !is_lasting(v))
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
    violations none = { .memory = l->memory };
    if (!l->same_lock)
        return;
    walk(l, e->log, e->log_count, NULL, NULL);
    compare_executions(l, &none);
    hd_vec_fini(&none);
}

/* Which lock protects the variable elsewhere is not part of the key: a replay of one execution does not know it. */
static void describe_change(const hd_lockset *l, const violation *v, hd_finding *f)
{
    uint32_t count;
    const uint64_t *locks = hd_lockset_locks(l, v->before, &count);
    f->suspected = l->suspects;
    f->elsewhere = count ? locks[0] : 0;
    f->key = hd_hash(f->key);
}

/* The earlier access to show beside it: if possible one that conflicts with it and has no lock in common with it. */
static hd_finding finding_of(hd_lockset *l, const hd_execution *e, const violation *v)
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
    walk(l, e->log, e->log_count, NULL, NULL);
    violations all = { .memory = l->memory }; /* a copy: hd_lockset_history walks, too */
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

static void remember(void *context, hd_lockset *l, uint32_t entry, hd_lock_set locks, variable *v)
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
    rewind_to(l, 0);
    walk(l, log, last + 1, remember, &h);
    for (size_t i = 0; i < h.accesses.count; i++)
        each(context, &h.accesses.items[i]);
    hd_vec_fini(&h.accesses);
}

/* --- validity ------------------------------------------------------------------------------- */

static bool set_is_valid(const hd_lockset *l, hd_lock_set number)
{
    uint32_t count;
    const uint64_t *locks = hd_lockset_locks(l, number, &count);
    for (uint32_t i = 1; i < count; i++)
        if (locks[i - 1] >= locks[i])
            return false;
    for (hd_lock_set other = 0; other < number; other++)
        if (is_set(l, other, locks, count))
            return false;
    return true;
}

static bool variable_is_valid(const hd_lockset *l, const variable *v)
{
    for (uint32_t i = v->next; i != NO_VARIABLE; i = l->variables.items[i].next)
        if (l->variables.items[i].cell != v->cell || l->variables.items[i].mask & v->mask)
            return false;
    return v->mask && (v->candidates == HD_ALL_LOCKS || v->candidates < l->sets.count)
        && (v->mode == SHARED_MODIFIED) <= v->written;
}

static bool change_is_valid(const hd_lockset *l, size_t i)
{
    const change *c = &l->changes.items[i];
    uint32_t before = i ? l->changes.items[i - 1].entry : 0;
    return c->entry >= before && c->entry < l->walked.count && (c->what != VARIABLE_CHANGED || c->before.mask);
}

bool hd_lockset_is_valid(const hd_lockset *l)
{
    for (hd_lock_set i = 0; i < l->sets.count; i++)
        if (!set_is_valid(l, i))
            return false;
    for (size_t i = 0; i < l->variables.count; i++)
        if (!variable_is_valid(l, &l->variables.items[i]))
            return false;
    for (size_t i = 0; i < l->changes.count; i++)
        if (!change_is_valid(l, i))
            return false;
    return true;
}
