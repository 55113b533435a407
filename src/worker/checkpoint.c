#include "worker/checkpoint.h"

#include <string.h>

#define COPY_ROOM 0x2000000000ull

/* Two copies take turns: one is always whole. */
typedef struct copy {
    uint64_t number; /* 0: not whole; else the higher, the later */
    size_t size;
    char bytes[];
} copy;

static copy *copy_at(int i)
{
    return (copy *)(HD_CHECKPOINT_BASE + (uint64_t)i * COPY_ROOM);
}

void hd_checkpoint_take(const hd_session *s)
{
    int older = copy_at(0)->number <= copy_at(1)->number ? 0 : 1;
    copy *c = copy_at(older);
    uint64_t number = copy_at(1 - older)->number + 1;
    c->number = 0;
    __sync_synchronize();
    c->size = (size_t)(s->region.next - (const char *)s);
    memcpy(c->bytes, s, c->size);
    __sync_synchronize();
    c->number = number;
}

void hd_checkpoint_drop(void)
{
    copy_at(0)->number = copy_at(1)->number = 0;
}

bool hd_checkpoint_restore(hd_session *s)
{
    const copy *c = copy_at(copy_at(0)->number > copy_at(1)->number ? 0 : 1);
    if (!c->number)
        return false;
    uint32_t deaths = s->deaths;
    int stop = s->stop;
    memcpy(s, c->bytes, c->size);
    s->deaths = deaths;
    s->stop = stop;
    return true;
}
