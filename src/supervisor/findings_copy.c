#include "supervisor/findings_copy.h"

#include <string.h>

static void *copy_array(hd_arena *arena, const void *items, size_t size)
{
    void *copy = hd_arena_alloc(arena, size + 1);
    return size ? memcpy(copy, items, size) : copy;
}

static void copy_found(hd_found *f, hd_arena *arena)
{
    hd_test_case *t = &f->test;
    if (f->has_shorter)
        *t = f->shorter;
    hd_learned_facts *l = &f->facts;
    l->shared = copy_array(arena, l->shared, l->shared_count * sizeof *l->shared);
    t->schedule.items = copy_array(arena, t->schedule.items, t->schedule.count * sizeof *t->schedule.items);
    t->inputs.items = copy_array(arena, t->inputs.items, t->inputs.count * sizeof *t->inputs.items);
}

void hd_findings_copy_take(hd_findings_copy *h, const hd_session *s, hd_arena *arena)
{
    *h = (hd_findings_copy) { .found_count = s->keep->found_count, .config = s->config };
    h->config.settings.fork = s->target.fork;
    h->found = copy_array(arena, s->keep->found, s->keep->found_count * sizeof *s->keep->found);
    for (uint32_t i = 0; i < h->found_count; i++)
        copy_found(&h->found[i], arena);
}
