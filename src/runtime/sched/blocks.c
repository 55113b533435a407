#include "runtime/sched/blocks.h"

#include "runtime/sched/access.h"

static void cut_before(uint64_t cell)
{
    uint32_t *owner = hd_owner_of((const void *)cell);
    if (*owner == HD_OWNER_JOINED)
        *owner = HD_OWNER_SHARED;
}

/* Around a cut, ever more cells are separated as well: cells of an array that are accessed one by one cost few runs. */
static void cut_around(uint64_t cell)
{
    uint64_t size = 8ull << hd_access_learn(), first = cell & ~(size - 1);
    cut_before(cell);
    for (uint64_t at = first; size > 8 && at <= first + size; at += 8)
        cut_before(at);
}

void hd_block_cut(uint64_t from, uint64_t to)
{
    if (*hd_owner_of((const void *)from) == HD_OWNER_JOINED)
        cut_around(from);
    if (*hd_owner_of((const void *)to) == HD_OWNER_JOINED)
        cut_around(to);
}

void hd_block_make(uint64_t from, uint64_t to)
{
    hd_access_learn();
    for (uint64_t cell = from; cell < to; cell += 8) {
        uint32_t *owner = hd_owner_of((const void *)cell);
        if (!hd_block_is_shared(*owner))
            *owner = cell == from ? HD_OWNER_SHARED : HD_OWNER_JOINED;
    }
}

uint64_t hd_block_end(uint64_t cell)
{
    do
        cell += 8;
    while (*hd_owner_of((const void *)cell) == HD_OWNER_JOINED);
    return cell;
}
