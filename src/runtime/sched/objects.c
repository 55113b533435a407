#include "runtime/sched/objects.h"

#include "abi/fast.h"
#include "runtime/reset/heap.h"
#include "runtime/sched/access.h"
#include "runtime/sched/sched.h"

/* Slots of the hash table of objects; at most half of them are used. */
enum { SLOTS = 2 * HD_HEAP_OBJECTS };

static int is_same(const hd_heap_object *a, const hd_heap_object *b)
{
    return a->object == b->object && a->destruction == b->destruction;
}

/* Adds an object to those that any run has used. */
static void note(hd_heap_object new)
{
    uint32_t i = (uint32_t)(((uintptr_t) new.object >> 2) * 2654435761u) % SLOTS;
    for (uint32_t at; (at = hd_known->heap_slots[i]) != 0; i = (i + 1) % SLOTS)
        if (is_same(&hd_known->heap[at - 1], &new))
            return;
    if (hd_known->heap_count == HD_HEAP_OBJECTS)
        hd_end(HD_MODEL_LIMIT, hd_current->site, "more than %d locks and the like in the heap", HD_HEAP_OBJECTS);
    hd_known->heap[hd_known->heap_count++] = new;
    hd_known->heap_slots[i] = (uint16_t)hd_known->heap_count;
}

static int is_in(const hd_heap_object *o, const void *block, size_t bytes)
{
    return (uintptr_t)o->object - (uintptr_t)block < bytes;
}

static int is_known(const hd_heap_object *o)
{
    for (uint32_t i = 0; i < hd_known->freed_count; i++)
        if (is_same(&hd_known->freed[i], o))
            return 1;
    return 0;
}

static void add_freed(const hd_heap_object *o)
{
    if (hd_known->freed_count == HD_FREED_OBJECTS)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d locks and the like in freed memory", HD_FREED_OBJECTS);
    hd_known->freed[hd_known->freed_count++] = *o;
}

/* An object in the heap is used; `allowed`: its memory is not freed. If its block was freed before anything was known
 * of the object, the free performed no operation for it: the run ends, and from now on it will. */
static void note_use(hd_heap_object o, int allowed)
{
    if (!o.destruction)
        return;
    note(o);
    if (!allowed && !is_known(&o)) {
        add_freed(&o);
        hd_learned_now("freed memory holds a lock or the like");
    }
}

static hd_heap_object object_of(uint8_t kind, const void *object)
{
    return (hd_heap_object) { object, hd_objects[hd_kinds[kind].object].destruction };
}

int hd_objects_check(uint8_t kind, const void *object, size_t bytes, const hd_site *site)
{
    int allowed = hd_heap_allows(object, bytes);
    if (!allowed && hd_heap_is_freed(object))
        return 0;
    if (hd_heap_holds(object) && hd_fast_state.several)
        note_use(object_of(kind, object), allowed);
    if (!allowed)
        hd_heap_check(object, bytes, site, 1);
    return 1;
}

void hd_objects_check_new(uint8_t kind, const void *object, size_t bytes, const hd_site *site)
{
    if (!hd_heap_allows(object, bytes))
        hd_objects_check(kind, object, bytes, site);
}

void hd_objects_check_again(uint8_t kind, const void *object, const hd_site *site)
{
    int allowed = hd_heap_allows(object, 1);
    if (hd_fast_state.several)
        note_use(object_of(kind, object), allowed);
    if (!allowed)
        hd_heap_check(object, 1, site, 1);
}

void hd_objects_look(uint8_t kind, const void *object, hd_ready *ready)
{
    hd_heap_object o = object_of(kind, object);
    const hd_site *site = hd_call_site;
    if (!hd_heap_holds(object))
        return;
    if (hd_fast_state.waits && hd_exploring() && is_known(&o))
        hd_perform((hd_op_kind)kind, object, ready);
    else
        hd_objects_check_again(kind, object, site);
    hd_call_site = site;
}

/* Learns the objects in this block that are freed for the first time. */
static void learn(const void *block, size_t bytes)
{
    for (uint32_t i = 0; i < hd_known->heap_count; i++) {
        const hd_heap_object *o = &hd_known->heap[i];
        if (!is_in(o, block, bytes) || is_known(o))
            continue;
        add_freed(o);
        hd_learned();
    }
}

uint32_t hd_objects_within(const void *block, size_t bytes)
{
    uint32_t count = 0;
    if (!hd_known->heap_count)
        return 0;
    learn(block, bytes);
    for (uint32_t i = 0; i < hd_known->freed_count; i++)
        count += (uint32_t)is_in(&hd_known->freed[i], block, bytes);
    return count;
}

static void release_waiting(const hd_heap_object *freed)
{
    for (uint32_t i = 0; i < *hd_rt.thread_count; i++) {
        hd_op *op = &hd_rt.threads[i].pending;
        hd_heap_object used = object_of(op->kind, (const void *)hd_op_address(op));
        if (hd_rt.threads[i].status == HD_THREAD_AT_OP && is_same(&used, freed))
            op->flags |= HD_OP_FREED;
    }
}

void hd_objects_destroy(const void *block, size_t bytes)
{
    const hd_site *site = hd_call_site;
    for (uint32_t i = 0; i < hd_known->freed_count; i++)
        if (is_in(&hd_known->freed[i], block, bytes)) {
            hd_call_site = site;
            hd_perform_among_several(hd_known->freed[i].destruction, hd_known->freed[i].object);
            release_waiting(&hd_known->freed[i]);
        }
}
