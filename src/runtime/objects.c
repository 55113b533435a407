#include "runtime/objects.h"

#include "runtime/access.h"
#include "runtime/sched.h"

enum { MOST = 1 << 13, PLACES = 2 * MOST };

/* All objects in the heap that any run has used, and where in the list an
 * address stands (+ 1). */
static hd_heap_object seen[MOST];
static uint32_t seen_count;
static uint16_t places[PLACES];

static uint8_t destruction_of(uint8_t kind)
{
    if (kind >= HD_LOCK && kind <= HD_MUTEX_DESTROY)
        return HD_MUTEX_DESTROY;
    if (kind >= HD_RDLOCK && kind <= HD_RWLOCK_DESTROY)
        return HD_RWLOCK_DESTROY;
    if (kind >= HD_COND_WAIT && kind <= HD_COND_DESTROY)
        return HD_COND_DESTROY;
    if (kind >= HD_SEM_WAIT && kind <= HD_SEM_DESTROY)
        return HD_SEM_DESTROY;
    if (kind >= HD_BARRIER_ARRIVE && kind <= HD_BARRIER_DESTROY)
        return HD_BARRIER_DESTROY;
    if (kind >= HD_ONCE_BEGIN && kind <= HD_ONCE_DESTROY)
        return HD_ONCE_DESTROY;
    return HD_NONE;
}

void hd_objects_note(uint8_t kind, const void *object)
{
    hd_heap_object new = { object, destruction_of(kind) };
    uint32_t i = (uint32_t)(((uintptr_t)object >> 2) * 2654435761u) % PLACES;
    if (!new.destruction)
        return;
    for (; places[i]; i = (i + 1) % PLACES)
        if (seen[places[i] - 1].object == object && seen[places[i] - 1].destruction == new.destruction)
            return;
    if (seen_count == MOST)
        hd_end(HD_MODEL_LIMIT, hd_current->site, "more than %d locks and the like in the heap", MOST);
    seen[seen_count++] = new;
    places[i] = (uint16_t)seen_count;
}

static int is_in(const hd_heap_object *o, const void *block, size_t bytes)
{
    return (uintptr_t)o->object - (uintptr_t)block < bytes;
}

static int is_known(const hd_heap_object *o)
{
    for (uint32_t i = 0; i < hd_known->freed_count; i++)
        if (hd_known->freed[i].object == o->object && hd_known->freed[i].destruction == o->destruction)
            return 1;
    return 0;
}

/* Objects in this block that are freed for the first time. */
static void learn(const void *block, size_t bytes)
{
    for (uint32_t i = 0; i < seen_count; i++) {
        if (!is_in(&seen[i], block, bytes) || is_known(&seen[i]))
            continue;
        if (hd_known->freed_count == HD_FREED_OBJECTS)
            hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d locks and the like in freed memory", HD_FREED_OBJECTS);
        hd_known->freed[hd_known->freed_count++] = seen[i];
        hd_learned();
    }
}

void hd_objects_destroy(const void *block, size_t bytes)
{
    const hd_site *site = hd_call_site;
    if (!seen_count)
        return;
    learn(block, bytes);
    for (uint32_t i = 0; i < hd_known->freed_count; i++)
        if (is_in(&hd_known->freed[i], block, bytes)) {
            hd_call_site = site;
            hd_perform(hd_known->freed[i].destruction, hd_known->freed[i].object, NULL);
        }
}
