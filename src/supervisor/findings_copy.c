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

/* Failures come first, then data races, then limits of heddle. */
enum { FAILURE, RACE, LIMIT, RANKS };

static int rank_of(const hd_finding *f)
{
    return !hd_finding_is_bug(f) ? LIMIT : f->kind == HD_FINDING_DATA_RACE ? RACE : FAILURE;
}

/* Copies the findings of one rank. */
static void take_some(hd_findings_copy *h, const hd_session *s, int rank, hd_arena *arena)
{
    const hd_keep *keep = s->keep;
    for (uint32_t i = 0; i < keep->found_count; i++) {
        if (rank_of(&keep->found[i].finding) != rank)
            continue;
        for (uint32_t k = 0; k < h->race_count; k++)
            if (keep->races[k].found == i)
                h->races[k].found = h->found_count;
        h->met[h->found_count] = s->met[i];
        h->found[h->found_count] = keep->found[i];
        copy_found(&h->found[h->found_count++], arena);
    }
}

void hd_findings_copy_take(hd_findings_copy *h, const hd_session *s, hd_arena *arena)
{
    const hd_keep *keep = s->keep;
    *h = (hd_findings_copy) { .race_count = keep->race_count, .config = s->config };
    h->config.settings.fork = s->target.fork;
    h->config.settings.real_files = s->target.real_files;
    h->found = hd_arena_alloc(arena, (keep->found_count + 1) * sizeof *h->found);
    h->met = hd_arena_alloc(arena, (keep->found_count + 1) * sizeof *h->met);
    h->races = copy_array(arena, keep->races, keep->race_count * sizeof *keep->races);
    for (int rank = 0; rank < RANKS; rank++)
        take_some(h, s, rank, arena);
}
