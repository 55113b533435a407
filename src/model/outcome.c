#include "model/outcome.h"

#include <stdio.h>
#include <string.h>

const hd_finding *hd_findings_like(const hd_findings *list, const hd_finding *f)
{
    for (size_t i = 0; i < list->count; i++) {
        const hd_finding *old = &list->items[i];
        if (old->kind == f->kind && old->line == f->line && old->fault.kind == f->fault.kind)
            return old;
    }
    return NULL;
}

void hd_findings_add(hd_findings *list, uint64_t *counts, size_t most, hd_finding f, const hd_moves *moves)
{
    /* Of assertions and faults one per source position is kept, however often they occur. */
    bool by_place = f.kind == HD_FINDING_ASSERTION || f.kind == HD_FINDING_FAULT;
    uint64_t before = counts[f.kind]++;
    if (by_place ? hd_findings_like(list, &f) != NULL : before >= most)
        return;
    f.move_count = moves ? moves->count : 0;
    if (f.move_count) {
        f.moves = hd_alloc(&hd_heap, f.move_count * sizeof *f.moves);
        memcpy(f.moves, moves->items, f.move_count * sizeof *f.moves);
    }
    hd_vec_push(list, f);
}

void hd_findings_clear(hd_findings *list)
{
    for (size_t i = 0; i < list->count; i++)
        hd_release(&hd_heap, list->items[i].moves, list->items[i].move_count * sizeof(hd_move));
    hd_vec_clear(list);
}

const char *hd_bound_text(hd_bound b)
{
    static const char *const texts[] = { "", "--max-states", "--memory", "interrupt", "the largest store",
        "--fair's limit of 64 processes", "what was looked for" };
    return texts[b];
}

hd_bound hd_limits_reached(const hd_limits *l, uint64_t states, uint64_t bytes)
{
    if (l->interrupted && *l->interrupted)
        return HD_BOUND_INTERRUPT;
    if (l->max_states && states >= l->max_states)
        return HD_BOUND_STATES;
    return l->memory && bytes >= l->memory ? HD_BOUND_MEMORY : HD_BOUND_NONE;
}

void hd_progress_show(hd_progress *p, const hd_limits *l, uint64_t states, uint64_t bytes)
{
    /* The clock is read only if a line may be shown. */
    double now = l->progress ? hd_now() : 0;
    if (!l->progress || now - p->started < 1 || now - p->shown < 1)
        return;
    p->shown = now;
    fprintf(stderr, "\r%llu states, %.0f a second, %llu MB   ", (unsigned long long)states,
        (double)states / (now - p->started), (unsigned long long)(bytes >> 20));
}

void hd_progress_end(const hd_progress *p)
{
    if (p->shown > 0)
        fprintf(stderr, "\r%60s\r", "");
}

static bool has_messages(const hd_machine *m)
{
    for (int i = 0; i < m->shape->channels; i++)
        if (m->bytes[m->shape->offsets[m->shape->channel_component[i]] + 1] > 0)
            return true;
    return false;
}

bool hd_end_is_finding(hd_stepper *s, uint8_t *bytes, const hd_shape *shape, const hd_limits *l, hd_finding_kind *kind)
{
    /* Messages left at a valid end are reported, but are an error only with --final=empty. */
    bool valid = hd_stepper_valid_end(s, bytes, shape), left = has_messages(&s->machine);
    *kind = valid && !(left && l->empty_channels) ? HD_FINDING_UNRECEIVED : HD_FINDING_DEADLOCK;
    return !valid || left;
}
