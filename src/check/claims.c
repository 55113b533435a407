/* Annotations about memory. What a method accesses is private: while several threads run, methods alone access it. What
 * is unshared is used by one thread. The runtime marks the accesses that annotations are about; this file compares them
 * with others to the same bytes. */
#include "check/checks.h"

#include "base/map.h"
#include "event/op.h"

static const char *refuted(const hd_op *a, const hd_op *b)
{
    if (a->thread == b->thread || !(a->mask & b->mask))
        return NULL;
    if (a->flags & b->flags & HD_OP_UNSHARED)
        return "annotation: two threads use what is annotated as unshared";
    if ((a->flags ^ b->flags) & HD_OP_PRIVATE)
        return "annotation: a method and other code access the same memory";
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
        const char *what = refuted(&e->log[i - 1], &e->log[entry]);
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
