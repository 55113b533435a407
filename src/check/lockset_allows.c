/* What the discipline allows: MLDallows of Stoller's section 8. */
#include "check/lockset_internal.h"

/* Larger objects are not examined byte by byte: some of them may be accessed. */
enum { MOST_BYTES = 4096 };

/* Is it a lock that may protect the access? A write needs it exclusively. */
static bool is_candidate(const hd_lockset *l, hd_lock_set candidates, const hd_lockset_hold *h, bool writes)
{
    return (h->exclusive || !writes) && (candidates == HD_ALL_LOCKS || hd_lockset_has(l, candidates, h->lock));
}

/* The lock o1 of MLDallows: the thread holds it, or is about to take it. */
static bool holds_candidate(const hd_lockset *l, hd_lock_set candidates, const hd_lockset_next *n, bool writes)
{
    const hd_lockset_held *h = &l->threads[n->thread];
    if (n->lock
        && is_candidate(l, candidates, &(hd_lockset_hold) { .lock = n->lock, .exclusive = n->exclusive }, writes))
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
    const hd_lockset *l, const hd_lockset_variable *v, hd_lock_set candidates, const hd_lockset_next *n, bool writes)
{
    bool locked = holds_candidate(l, candidates, n, writes);
    if (!l->eraser)
        return locked;
    switch ((hd_lockset_mode)v->mode) {
    case HD_MODE_VIRGIN:
        return true;
    case HD_MODE_EXCLUSIVE:
        return v->first_thread == n->thread || !writes || locked;
    case HD_MODE_SHARED:
        return !writes || locked;
    default:
        return locked;
    }
}

bool hd_lockset_allows_new(const hd_lockset *l, const hd_lockset_next *n, bool writes)
{
    return allows(l, &(hd_lockset_variable) { .mode = HD_MODE_VIRGIN }, HD_ALL_LOCKS, n, writes);
}

static const hd_lockset_variable *variable_at(const hd_lockset *l, uint64_t byte)
{
    const uint64_t *first = hd_map_get(&l->cells, byte & ~7ull);
    for (uint32_t v = first && *first ? (uint32_t)*first - 1 : HD_NO_VARIABLE; v != HD_NO_VARIABLE;
         v = l->variables.items[v].next)
        if (l->variables.items[v].mask & 1u << (byte & 7))
            return &l->variables.items[v];
    return NULL;
}

/* With same_lock, locks that did not protect the byte in earlier executions are no candidates. */
static bool allows_byte(hd_lockset *l, uint64_t byte, const hd_lockset_next *n, bool writes)
{
    static const hd_lockset_variable unused = { .mode = HD_MODE_VIRGIN, .candidates = HD_ALL_LOCKS };
    const hd_lockset_variable *known = variable_at(l, byte), *v = known ? known : &unused;
    const uint64_t *kept = l->same_lock ? hd_map_get(&l->kept, byte) : NULL;
    hd_lock_set candidates =
        kept && *kept ? hd_lockset_meet(l, v->candidates, (hd_lock_set)(*kept - 1)) : v->candidates;
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
