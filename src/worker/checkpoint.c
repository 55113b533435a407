#include "worker/checkpoint.h"

#include <string.h>
#include <sys/mman.h>

#define COPY_ROOM ((HD_KEEP_BASE - HD_CHECKPOINT_BASE) / 2)

/* Two copies take turns, so one is always complete, even if the worker dies while it writes the other. */
typedef struct copy {
    uint64_t number; /* 0: incomplete; otherwise the greater is the later */
    _Alignas(hd_session) char bytes[];
} copy;

static copy *copy_at(int i)
{
    return (copy *)(HD_CHECKPOINT_BASE + (uint64_t)i * COPY_ROOM);
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

static size_t size_of(hd_session *s)
{
    size_t size = 0;
    char *from;
    for (uint32_t part = 0; part <= HD_REGION_FIELDS; part++)
        size += hd_region_part(&s->region, (char *)s, part, &from);
    return size;
}

void hd_checkpoint_take(hd_session *s, uint64_t most)
{
    enum { ALL = 3 }; /* the original and two copies */
    if (size_of(s) > most / ALL) {
        hd_checkpoint_drop();
        return;
    }
    int older = copy_at(0)->number <= copy_at(1)->number ? 0 : 1;
    copy *c = copy_at(older);
    uint64_t number = copy_at(1 - older)->number + 1;
    /* Invalid while it is written; the barriers keep the order. */
    c->number = 0;
    __sync_synchronize();
    copy_all(s, &s->region, c->bytes, false);
    __sync_synchronize();
    c->number = number;
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
    copy *c = copy_at(copy_at(0)->number > copy_at(1)->number ? 0 : 1);
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
    return true;
}
