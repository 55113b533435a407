#include "model/outcome.h"

#include <stdio.h>
#include <string.h>

const hd_model_finding *hd_model_findings_like(const hd_model_findings *list, const hd_model_finding *f)
{
    for (size_t i = 0; i < list->count; i++) {
        const hd_model_finding *old = &list->items[i];
        if (old->kind == f->kind && old->line == f->line && old->fault.kind == f->fault.kind)
            return old;
    }
    return NULL;
}

void hd_model_findings_add(
    hd_model_findings *list, uint64_t *counts, size_t most, hd_model_finding f, const hd_model_moves *moves)
{
    /* Of assertions and faults one per source position is kept, however often they occur. */
    bool by_position = f.kind == HD_MODEL_FINDING_ASSERTION || f.kind == HD_MODEL_FINDING_FAULT;
    uint64_t before = counts[f.kind]++;
    if (by_position ? hd_model_findings_like(list, &f) != NULL : before >= most)
        return;
    f.move_count = moves ? moves->count : 0;
    if (f.move_count) {
        f.moves = hd_alloc(&hd_heap, f.move_count * sizeof *f.moves);
        memcpy(f.moves, moves->items, f.move_count * sizeof *f.moves);
    }
    hd_vec_push(list, f);
}

void hd_model_findings_clear(hd_model_findings *list)
{
    for (size_t i = 0; i < list->count; i++)
        hd_release(&hd_heap, list->items[i].moves, list->items[i].move_count * sizeof(hd_model_move));
    hd_vec_clear(list);
}

const char *hd_model_bound_text(hd_model_bound b)
{
    static const char *const texts[] = { "", "--max-states", "--memory", "interrupt", "the largest store",
        "--fair's limit of 64 processes", "what was looked for" };
    return texts[b];
}

hd_model_bound hd_model_limits_reached(const hd_model_limits *l, uint64_t states, uint64_t bytes)
{
    if (l->interrupted && *l->interrupted)
        return HD_MODEL_BOUND_INTERRUPT;
    if (l->max_states && states >= l->max_states)
        return HD_MODEL_BOUND_STATES;
    return l->memory && bytes >= l->memory ? HD_MODEL_BOUND_MEMORY : HD_MODEL_BOUND_NONE;
}

void hd_model_progress_show(hd_model_progress *p, const hd_model_limits *l, uint64_t states, uint64_t bytes)
{
    /* The clock is read only if a line may be shown. */
    double now = l->progress ? hd_now() : 0;
    if (!l->progress || now - p->started < 1 || now - p->shown < 1)
        return;
    p->shown = now;
    fprintf(stderr, "\r%llu states, %.0f a second, %llu MB   ", (unsigned long long)states,
        (double)states / (now - p->started), (unsigned long long)(bytes >> 20));
}

void hd_model_progress_end(const hd_model_progress *p)
{
    if (p->shown > 0)
        fprintf(stderr, "\r%60s\r", "");
}

static bool has_messages(const hd_model_machine *m)
{
    for (int i = 0; i < m->shape->channels; i++)
        if (m->bytes[m->shape->offsets[m->shape->channel_component[i]] + 1] > 0)
            return true;
    return false;
}

bool hd_model_end_is_finding(hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, const hd_model_limits *l,
    hd_model_finding_kind *kind)
{
    /* Messages left at a valid end are reported, but are an error only with --final=empty. */
    bool valid = hd_model_stepper_valid_end(s, bytes, shape), left = has_messages(&s->machine);
    *kind = valid && !(left && l->empty_channels) ? HD_MODEL_FINDING_UNRECEIVED : HD_MODEL_FINDING_DEADLOCK;
    return !valid || left;
}
