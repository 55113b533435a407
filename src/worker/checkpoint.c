#include "worker/checkpoint.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#define COPY_ROOM ((HD_KEEP_BASE - HD_CHECKPOINT_BASE) / 2)

/* Two copies take turns, so one is always complete, even if the worker dies while it writes the other. */
typedef struct copy {
    uint64_t number; /* 0: incomplete; otherwise the greater is the later */
    uint64_t size; /* of the engine's memory, and the findings after it */
    _Alignas(hd_session) char bytes[];
} copy;

static copy *copy_at(int i)
{
    return (copy *)(HD_CHECKPOINT_BASE + (uint64_t)i * COPY_ROOM);
}

static copy *latest(void)
{
    return copy_at(copy_at(0)->number > copy_at(1)->number ? 0 : 1);
}

/* Copies all memory that is in use according to `r` to `bytes`, or back. */
static void copy_all(hd_session *s, const hd_region *r, char *bytes, bool back)
{
    size_t at = 0;
    for (uint32_t part = 0; part <= HD_REGION_FIELDS; part++) {
        char *from;
        size_t size = hd_region_part(r, (char *)s, part, &from);
        memcpy(back ? from : bytes + at, back ? bytes + at : from, size);
        at += size;
    }
}

static size_t size_of(const hd_region *r, char *start)
{
    size_t size = 0;
    char *from;
    for (uint32_t part = 0; part <= HD_REGION_FIELDS; part++)
        size += hd_region_part(r, start, part, &from);
    return size;
}

/* Findings come after the engine's memory in a copy, where they are aligned. */
static size_t rounded(size_t size)
{
    enum { UNIT = 64 };
    return (size + UNIT - 1) / UNIT * UNIT;
}

static size_t size_of_findings(const hd_keep *keep)
{
    return size_of(&keep->region, (char *)HD_KEEP_BASE);
}

bool hd_checkpoint_take(hd_session *s, uint64_t most)
{
    enum { ALL = 3 }; /* the original and two copies */
    size_t size = size_of(&s->region, (char *)s), more = size_of_findings(s->keep);
    if (size > most / ALL) {
        hd_checkpoint_drop();
        return false;
    }
    int older = copy_at(0)->number <= copy_at(1)->number ? 0 : 1;
    copy *c = copy_at(older);
    uint64_t number = copy_at(1 - older)->number + 1;
    /* Invalid while it is written; the barriers keep the order. */
    c->number = 0;
    __sync_synchronize();
    copy_all(s, &s->region, c->bytes, false);
    memcpy(c->bytes + rounded(size), s->keep, more);
    c->size = rounded(size) + more;
    __sync_synchronize();
    c->number = number;
    return true;
}

void hd_checkpoint_drop(void)
{
    if (!copy_at(0)->number && !copy_at(1)->number)
        return;
    copy_at(0)->number = copy_at(1)->number = 0;
    madvise((void *)HD_CHECKPOINT_BASE, HD_KEEP_BASE - HD_CHECKPOINT_BASE, MADV_REMOVE);
}

bool hd_checkpoint_restore(hd_session *s)
{
    copy *c = latest();
    if (!c->number)
        return false;
    uint32_t deaths = s->deaths;
    int stop = s->stop;
    /* The extent of the copy is given by the region as it was then. Deaths and the request to stop
     * are newer than the copy and stay. */
    hd_region then = ((const hd_session *)c->bytes)->region;
    copy_all(s, &then, c->bytes, true);
    s->deaths = deaths;
    s->stop = stop;
    s->went_back = true;
    return true;
}

/* --- for files ------------------------------------------------------------------------------ */

bool hd_checkpoint_latest(hd_checkpoint *c)
{
    const copy *at = latest();
    *c = (hd_checkpoint) { at->number, at->size, at->bytes };
    __sync_synchronize();
    return c->number && hd_checkpoint_was_kept(c);
}

bool hd_checkpoint_was_kept(const hd_checkpoint *c)
{
    const copy *at = (const copy *)(c->bytes - offsetof(copy, bytes));
    __sync_synchronize();
    return at->number == c->number;
}

const hd_session *hd_checkpoint_session(const hd_checkpoint *c)
{
    return (const hd_session *)c->bytes;
}

char *hd_checkpoint_room(uint64_t size)
{
    return size <= COPY_ROOM - sizeof(copy) ? copy_at(0)->bytes : NULL;
}

/* Does the allocator have memory where that of a session has it, and no more than there is? */
static bool is_region(const hd_region *r, const void *start, const hd_region *of_session, uint64_t most)
{
    if (r->start != start || r->end != of_session->end || r->has_fields != of_session->has_fields || r->next < r->start
        || r->next > r->end)
        return false;
    for (uint32_t i = 0; i < HD_REGION_FIELDS; i++)
        if (r->fields[i] > (r->has_fields ? HD_REGION_FIELD_ROOM : 0))
            return false;
    return (uint64_t)(r->next - r->start) <= most;
}

bool hd_checkpoint_adopt(hd_session *s, uint64_t size)
{
    copy *c = copy_at(0);
    const hd_session *then = (const hd_session *)c->bytes;
    if (size < sizeof *then + sizeof(hd_keep) || then->magic != HD_SESSION_MAGIC || then->keep != s->keep
        || !is_region(&then->region, s + 1, &s->region, size))
        return false;
    size_t engine = rounded(size_of(&then->region, (char *)s));
    const hd_keep *keep = (const hd_keep *)(c->bytes + engine);
    if (engine > size - sizeof *keep || size > COPY_ROOM
        || !is_region(&keep->region, s->keep + 1, &s->keep->region, size) || size_of_findings(keep) != size - engine)
        return false;
    memcpy(s->keep, keep, size - engine);
    c->size = size;
    c->number = 1;
    return hd_checkpoint_restore(s);
}
