/* Breadth-first search: every schedule, those with the fewest forced steps first. */
#include "base/vec.h"
#include "explore/explorer.h"

#include <string.h>

typedef hd_vec(hd_choice) schedule;

typedef struct breadth {
    hd_memory *memory;
    hd_vec(schedule) queue; /* prefixes to run; those before `at` have been run */
    size_t at;
    hd_trace trace;
    hd_path path;
} breadth;

static void *breadth_open(const hd_explore_config *config, hd_memory *memory)
{
    breadth *b = hd_alloc(memory, sizeof *b);
    b->memory = b->queue.memory = memory;
    hd_trace_init(&b->trace, memory, config->races);
    hd_path_init(&b->path, &config->solver, memory);
    *hd_vec_add(&b->queue) = (schedule) { .memory = memory };
    return b;
}

static bool breadth_next(void *self, hd_plan *plan)
{
    breadth *b = self;
    if (b->at == b->queue.count)
        return false;
    const schedule *next = &b->queue.items[b->at++];
    *plan = (hd_plan) {
        .prefix = next->items, .prefix_count = (uint32_t)next->count, .tail = HD_TAIL_FIRST, .alternatives = true
    };
    return true;
}

static hd_choice choice_at(const breadth *b, uint32_t step)
{
    const hd_item *item = &b->trace.items.items[b->trace.steps.items[step]];
    return (hd_choice) { item->thread, item->choice };
}

/* The first `length` steps of the execution, then another choice. */
static void add_schedule(breadth *b, uint32_t length, hd_choice last)
{
    schedule new = { .memory = b->memory };
    for (uint32_t i = 0; i < length; i++)
        hd_vec_push(&new, choice_at(b, i));
    hd_vec_push(&new, last);
    hd_vec_push(&b->queue, new);
}

static bool breadth_learn(void *self, const hd_execution *e)
{
    breadth *b = self;
    uint32_t forced = (uint32_t)b->queue.items[b->at - 1].count;
    hd_trace_cut(&b->trace, 0);
    if (!hd_trace_extend(&b->trace, e) || !hd_path_extend(&b->path, e))
        return false;
    for (uint32_t i = 0; i < e->alternative_steps && forced + i < b->trace.steps.count; i++)
        for (uint32_t k = 0; k < e->alternatives[i].count; k++) {
            hd_choice other = e->choices[e->alternatives[i].first + k], taken = choice_at(b, forced + i);
            if (other.thread != taken.thread || other.choice != taken.choice)
                add_schedule(b, forced + i, other);
        }
    return true;
}

static void breadth_close(void *self)
{
    breadth *b = self;
    for (size_t i = 0; i < b->queue.count; i++)
        hd_vec_fini(&b->queue.items[i]);
    hd_vec_fini(&b->queue);
    hd_trace_fini(&b->trace);
    hd_path_fini(&b->path);
    hd_release(b->memory, b, sizeof *b);
}

static const hd_trace *breadth_trace(void *self)
{
    return &((breadth *)self)->trace;
}

static hd_path *breadth_path(void *self)
{
    return &((breadth *)self)->path;
}

static double breadth_progress(void *self)
{
    const breadth *b = self;
    return (double)b->at / (double)b->queue.count;
}

const hd_explorer hd_explorer_breadth = { .name = "breadth",
    .exhaustive = true,
    .open = breadth_open,
    .next = breadth_next,
    .learn = breadth_learn,
    .close = breadth_close,
    .trace = breadth_trace,
    .progress = breadth_progress,
    .path = breadth_path,
    .every_schedule = true };
