/* Decisions are a stack that is walked again from the bottom after each change, as the branches of a path are. */
#include "inputs/decisions.h"

void hd_decisions_init(hd_decisions *d, hd_path *path, hd_memory *memory)
{
    *d = (hd_decisions) { .path = path };
    d->values.memory = d->conditions.memory = d->made.memory = d->query.memory = memory;
}

void hd_decisions_fini(hd_decisions *d)
{
    hd_vec_fini(&d->values);
    hd_vec_fini(&d->conditions);
    hd_vec_fini(&d->made);
    hd_vec_fini(&d->query);
}

void hd_decisions_begin(hd_decisions *d)
{
    hd_vec_clear(&d->values);
    hd_vec_clear(&d->conditions);
    hd_vec_clear(&d->made);
    d->next = 0;
    for (size_t i = 0; i < d->path->values.count; i++)
        hd_vec_push(&d->values, d->path->values.items[i]);
}

bool hd_decisions_hold(hd_decisions *d, hd_term when)
{
    return hd_term_evaluate(&d->path->terms, when, &d->values);
}

bool hd_decide(hd_decisions *d, hd_term when)
{
    bool holds = hd_decisions_hold(d, when);
    if (d->next < d->made.count && (d->made.items[d->next].when != when || d->made.items[d->next].holds != holds))
        d->made.count = d->next; /* after another answer, other questions follow */
    if (d->next == d->made.count)
        hd_vec_push(&d->made, ((hd_decision) { .when = when, .holds = holds }));
    d->next++;
    return holds;
}

static hd_term as_decided(hd_decisions *d, const hd_decision *made)
{
    return made->holds ? made->when : hd_term_not(&d->path->terms, made->when);
}

/* Are there inputs that change the last decision and none before it? */
static bool turn_last(hd_decisions *d)
{
    hd_decision *last = hd_vec_last(&d->made);
    last->holds = !last->holds;
    last->turned = true;
    hd_vec_clear(&d->query);
    for (size_t i = 0; i < d->conditions.count; i++)
        hd_vec_push(&d->query, d->conditions.items[i]);
    for (size_t i = 0; i < d->made.count; i++)
        hd_vec_push(&d->query, as_decided(d, &d->made.items[i]));
    const hd_site *site = d->path->branches.count ? hd_vec_last(&d->path->branches)->site : NULL;
    return hd_path_satisfy(d->path, d->query.items, d->query.count, site, &d->values) == HD_SAT;
}

bool hd_decisions_turn(hd_decisions *d)
{
    d->made.count = d->next; /* the last pass asked fewer questions */
    for (; d->made.count; d->made.count--)
        if (!hd_vec_last(&d->made)->turned && turn_last(d)) {
            d->next = 0;
            return true;
        }
    return false;
}

/* The terms of all decisions are passed along, because the inputs they mention must be given to the next execution. */
hd_path_inputs hd_decisions_keep(hd_decisions *d, uint32_t users)
{
    hd_vec_clear(&d->query);
    for (size_t i = 0; i < d->made.count; i++)
        hd_vec_push(&d->query, d->made.items[i].when);
    return hd_path_keep_values(d->path, &d->values, d->query.items, d->query.count, users);
}
