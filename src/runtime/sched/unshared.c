#include "runtime/sched/unshared.h"

#include "runtime/sched/compose.h"

#include "runtime/core/end.h"
#include "runtime/core/own.h"
#include "runtime/core/state.h"
#include "runtime/sched/blocks.h"

enum { MOST = 1 << 12 };

typedef struct range {
    uint64_t from, to;
    hd_unshared how;
    uint32_t user; /* HD_UNSHARED: the thread + 1 that uses it in this run, as far as it had to be noticed */
} range;

static range *ranges;

uint32_t hd_unshared_count;
static uint32_t before_runs; /* those of constructors are kept */
static int running;

void hd_unshared_add(const void *object, size_t bytes, hd_unshared how)
{
    if (!ranges)
        ranges = hd_own_alloc(MOST * sizeof *ranges);
    if (hd_unshared_count == MOST)
        hd_end(HD_MODEL_LIMIT, hd_call_site, "more than %d objects that are annotated as unshared", MOST);
    ranges[hd_unshared_count++] = (range) { .from = (uint64_t)object, .to = (uint64_t)object + bytes, .how = how };
    before_runs += !running;
    if (running)
        hd_compose_ask();
}

int hd_unshared_is_used(const hd_op *access)
{
    uint64_t first, end;
    hd_block_span(access, &first, &end);
    for (uint32_t i = 0; i < hd_unshared_count; i++)
        if (ranges[i].from < end && first < ranges[i].to)
            return 1;
    return 0;
}

static int is_refuted(const range *r)
{
    if (hd_known->refuted_count > HD_REFUTED)
        return 1;
    for (uint32_t i = 0; i < hd_known->refuted_count; i++)
        if (hd_known->refuted[i] == r->from)
            return 1;
    return 0;
}

static void refute(const range *r)
{
    if (hd_known->refuted_count < HD_REFUTED)
        hd_known->refuted[hd_known->refuted_count] = r->from;
    hd_known->refuted_count++;
    hd_learned();
}

/* Is the current thread the only one that uses the range in this run? What a thread does alone needs no notice. */
static int has_one_user(range *r)
{
    uint32_t user = (uint32_t)hd_current->id + 1;
    if (!hd_fast_state.waits)
        return 1;
    r->user = r->user ? r->user : user;
    return r->user == user;
}

int hd_unshared_keeps(const void *address, uint64_t bytes)
{
    uint64_t first = (uint64_t)address;
    for (uint32_t i = 0; i < hd_unshared_count; i++) {
        range *r = &ranges[i];
        if (r->how != HD_UNSHARED || first < r->from || first + bytes > r->to || is_refuted(r))
            continue;
        if (has_one_user(r))
            return 1;
        refute(r);
    }
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
    for (uint32_t i = 0; i < hd_unshared_count; i++)
        ranges[i].user = 0;
}
