#include "runtime/sched/cover.h"

#include "runtime/sched/sched.h"

#include <string.h>

/* A small cache that filters repetitions; what it misses is recorded twice, which does no harm. */
enum { RECENT = 1024 };

static hd_covered recent[RECENT];

void hd_cover_start(void)
{
    *hd_rt.covered_count = 0;
    if (hd_rt.options->cover)
        memset(recent, 0, sizeof recent);
}

static int is_same(const hd_covered *a, const hd_covered *b)
{
    return a->site == b->site && a->position == b->position && a->thread == b->thread && a->what == b->what
        && a->ordinal == b->ordinal;
}

__attribute__((visibility("default"))) void hd_cover(void *site, uint32_t what, uint32_t ordinal)
{
    if (!hd_the_engine || !hd_rt.options->cover || !hd_current)
        return;
    hd_covered c = { site, *hd_rt.log_count, ordinal, what, (uint16_t)hd_current->id };
    uint32_t count = *hd_rt.covered_count;
    hd_covered *last = &recent[((uintptr_t)site / sizeof(hd_site) * 4 + what) % RECENT];
    if (is_same(last, &c))
        return;
    *last = c;
    if (count == HD_COVER_ROOM)
        hd_end(HD_DEPTH, site, "more than %d statements and branches reached", HD_COVER_ROOM);
    hd_rt.covered[count] = c;
    *hd_rt.covered_count = count + 1;
}
