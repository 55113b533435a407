/* Annotations about memory. What a call of an annotated function accesses on its object belongs to the object: accesses
 * of other threads that conflict with it are in calls on the same object, too. What is unshared is used by one thread.
 * The runtime marks the accesses that annotations are about; this file compares them with others to the same bytes. */
#include "check/checks.h"

#include "abi/claim.h"
#include "base/map.h"
#include "event/op.h"

/* The call that the access is part of; 0 also if it is part of none. */
static uint64_t call_at(const hd_execution *e, uint32_t entry)
{
    return e->log[entry].flags & HD_OP_PRIVATE && e->calls ? e->calls[entry] : 0;
}

static const char *refuted(const hd_execution *e, uint32_t first, uint32_t second)
{
    const hd_op *a = &e->log[first], *b = &e->log[second];
    uint64_t of_a = call_at(e, first), of_b = call_at(e, second);
    if (a->thread == b->thread || !(a->mask & b->mask))
        return NULL;
    if (a->flags & b->flags & HD_OP_UNSHARED)
        return "annotation: two threads use what is annotated as unshared";
    if (hd_kind_looks(a->kind) && hd_kind_looks(b->kind))
        return NULL;
    bool method = (of_a | of_b) & HD_CALL_IS_METHOD;
    if ((a->flags ^ b->flags) & HD_OP_PRIVATE)
        return method ? "annotation: a method and other code access the same memory"
                      : "annotation: an atomic function and other code access the same memory";
    if (hd_call_object(of_a) != hd_call_object(of_b))
        return method ? "annotation: methods on two objects access the same memory"
                      : "annotation: atomic functions on two objects access the same memory";
    return NULL;
}

static bool is_marked(const hd_op *op)
{
    return hd_kind_is_memory(op->kind) && hd_kind_is_plain(op->kind) && hd_op_is_done(op)
        && !(op->flags & (HD_OP_LOOK | HD_OP_ALONE));
}

/* Compares the entry with the earlier ones to its cell, from the last one back. */
static bool find(const hd_execution *e, const uint32_t *before, uint32_t entry, uint32_t last, hd_finding *out)
{
    for (uint32_t i = last; i; i = before[i - 1]) {
        const char *what = refuted(e, i - 1, entry);
        if (!what)
            continue;
        *out = (hd_finding) { .kind = HD_FINDING_ANNOTATION, .entries = { i - 1, entry } };
        hd_finding_of_accesses(out, e, &e->log[i - 1], &e->log[entry], what);
        return true;
    }
    return false;
}

/* Steps are not composed in programs with annotations. */
static bool has_claims(const hd_execution *e)
{
    if (e->outcome->composed)
        return false;
    for (uint32_t i = 0; i < e->log_count; i++)
        if ((e->log[i].flags & (HD_OP_PRIVATE | HD_OP_UNSHARED)) && is_marked(&e->log[i])) /* most have no such flag */
            return true;
    return false;
}

void hd_check_claims(
    const hd_execution *e, hd_memory *memory, void (*found)(void *context, const hd_finding *f), void *context)
{
    if (!has_claims(e))
        return;
    hd_map cells;
    hd_finding f;
    uint32_t *before = hd_alloc(memory, e->log_count * sizeof *before);
    hd_map_init(&cells, memory);
    for (uint32_t i = 0; i < e->log_count; i++) {
        if (!is_marked(&e->log[i]))
            continue;
        uint64_t *last = hd_map_put(&cells, e->log[i].object);
        if (find(e, before, i, (uint32_t)*last, &f))
            found(context, &f);
        before[i] = (uint32_t)*last;
        *last = i + 1;
    }
    hd_map_fini(&cells);
    hd_release(memory, before, e->log_count * sizeof *before);
}
