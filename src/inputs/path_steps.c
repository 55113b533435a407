/* What the branches of a path say about the steps that they are behind, and which terms
 * are kept for that. */
#include "inputs/path.h"

#include "inputs/path_inputs.h"

/* The first branch with this position or more. */
static size_t first_at(const hd_path *p, uint32_t position)
{
    size_t low = 0, high = p->branches.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->branches.items[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t hd_path_way(const hd_path *p, uint32_t position)
{
    uint64_t way = 0;
    for (size_t i = first_at(p, position); i < p->branches.count; i++) {
        const hd_path_branch *b = &p->branches.items[i];
        if (b->position != position)
            break;
        way = hd_hash(way ^ hd_hash((uint64_t)(uintptr_t)b->site ^ (uint64_t)b->thread << 48) ^ b->value) | 1;
    }
    return way;
}

bool hd_path_turns(const hd_path *p, uint32_t position)
{
    size_t after = first_at(p, position + 1);
    return after && p->branches.items[after - 1].position == position && !p->branches.items[after - 1].inside;
}

/* That the branches behind step `position - 1`, or those in its middle, are as they are. */
static hd_term conditions_at(hd_path *p, uint32_t position, bool inside)
{
    hd_term all = 0;
    for (size_t i = first_at(p, position); i < p->branches.count; i++) {
        const hd_path_branch *b = &p->branches.items[i];
        if (b->position != position || (inside && !b->inside))
            break;
        if (!(b->flags & HD_OP_FOLLOWED))
            all = hd_term_both(&p->terms, all, b->condition);
    }
    return all;
}

hd_term hd_path_when(hd_path *p, uint32_t position)
{
    return conditions_at(p, position, true);
}

bool hd_path_branches_inside(const hd_path *p, uint32_t position)
{
    size_t first = first_at(p, position);
    return first < p->branches.count && p->branches.items[first].position == position
        && p->branches.items[first].inside;
}

hd_term hd_path_condition(hd_path *p, uint32_t position)
{
    return conditions_at(p, position, false);
}

bool hd_path_holds(hd_path *p, hd_term when)
{
    hd_path_give_inputs_of(p, when, &p->values, &p->given);
    return hd_term_evaluate(&p->terms, when, &p->values);
}

/* --- forgetting terms ----------------------------------------------------------------------- */

void hd_path_begin_forgetting(hd_path *p)
{
    hd_terms_begin_forgetting(&p->terms);
    for (size_t i = 0; i < p->branches.count; i++) {
        hd_terms_keep(&p->terms, p->branches.items[i].term);
        hd_terms_keep(&p->terms, p->branches.items[i].condition);
    }
}

void hd_path_forget(hd_path *p)
{
    hd_terms_forget(&p->terms);
    hd_solver_forget(p->solver);
    for (size_t i = 0; i < p->branches.count; i++) {
        hd_path_branch *b = &p->branches.items[i];
        b->term = hd_terms_renumbered(&p->terms, b->term);
        b->condition = hd_terms_renumbered(&p->terms, b->condition);
    }
    if (p->most_terms < 2 * p->terms.nodes.count)
        p->most_terms = 2 * p->terms.nodes.count;
}
