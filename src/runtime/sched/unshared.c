#include "runtime/sched/unshared.h"

#include "runtime/sched/compose.h"

#include "runtime/core/end.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/sched/blocks.h"

enum { MOST = 1 << 12 };

static struct {
    uint64_t from, to;
} * ranges;

uint32_t hd_unshared_count;
static uint32_t before_runs; /* those of constructors are kept */
static int running;

void hd_unshared_add(const void *object, size_t bytes)
{
    if (!ranges)
        ranges = hd_own_alloc(MOST * sizeof *ranges);
    if (hd_unshared_count == MOST)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d objects that are annotated as unshared", MOST);
    ranges[hd_unshared_count].from = (uint64_t)object;
    ranges[hd_unshared_count++].to = (uint64_t)object + bytes;
    before_runs += !running;
    if (running)
        hd_compose_ask();
}

int hd_unshared_is_used(const hd_op *access)
{
    uint64_t cell = access->object, bytes = hd_block_bytes(access);
    uint64_t first = bytes > 8 ? 0 : (uint64_t)__builtin_ctz(access->mask | 256);
    uint64_t last = bytes > 8 ? bytes - 1 : 31 - (uint64_t)__builtin_clz(access->mask | 1u);
    for (uint32_t i = 0; i < hd_unshared_count; i++)
        if (ranges[i].from <= cell + last && cell + first < ranges[i].to)
            return 1;
    return 0;
}

void hd_unshared_forget(const void *block)
{
    for (uint32_t i = before_runs; i < hd_unshared_count; i++)
        if (ranges[i].from == (uint64_t)block)
            ranges[i] = ranges[--hd_unshared_count];
}

void hd_unshared_new_run(void)
{
    running = 1;
    hd_unshared_count = before_runs;
}
