/* The smallest set of clashing constraints, by implicit hitting sets. Each maximal satisfiable set
 * of constraints leaves out a correction set, and every clash contains a member of each correction
 * set. So the smallest hitting set of the known correction sets, once it is unsatisfiable, is the
 * smallest clash. That can take very long; after a fixed amount of work, deleting constraints one
 * by one yields a clash that is minimal but perhaps not smallest. */
#include "pairs/solver.h"

#include <string.h>

typedef struct core_search {
    hd_pairs_solver *solver;
    int constraints;
    hd_vec(bool *) corrections; /* each: one flag per constraint */
    uint64_t steps; /* left for choosing hitting sets, in flags looked at */
} core_search;

static const uint64_t most_steps = 300000000;

/* The first correction set that `chosen` does not hit, or -1. */
static int missed(const core_search *c, const bool *chosen)
{
    for (size_t i = 0; i < c->corrections.count; i++) {
        bool hit = false;
        for (int k = 0; k < c->constraints && !hit; k++)
            hit = c->corrections.items[i][k] && chosen[k];
        if (!hit)
            return (int)i;
    }
    return -1;
}

/* Extends `chosen` by at most `more` constraints so that it hits every correction set. */
static bool hit_all(core_search *c, bool *chosen, int more)
{
    int open = missed(c, chosen);
    if (open < 0)
        return true;
    /* Work is counted, not timed, so that the answer does not depend on the machine. */
    uint64_t looks = c->corrections.count * (uint64_t)c->constraints;
    c->steps -= looks < c->steps ? looks : c->steps;
    if (c->steps == 0)
        return false;
    for (int k = 0; more > 0 && k < c->constraints; k++) {
        if (!c->corrections.items[open][k])
            continue;
        chosen[k] = true;
        if (hit_all(c, chosen, more - 1))
            return true;
        chosen[k] = false;
    }
    return false;
}

/* Grows a satisfiable selection until it is maximal; what is left out is a new correction set. */
static void add_correction(core_search *c, bool *chosen)
{
    bool *left_out = hd_alloc(&hd_heap, (size_t)c->constraints * sizeof *left_out);
    for (int k = 0; k < c->constraints; k++) {
        if (chosen[k])
            continue;
        chosen[k] = true;
        if (!hd_pairs_satisfiable(c->solver, chosen)) {
            chosen[k] = false;
            left_out[k] = true;
        }
    }
    hd_vec_push(&c->corrections, left_out);
}

/* Deletion: drops each constraint without which the rest still clashes. The result is minimal under
 * inclusion. */
static void shrink(core_search *c, bool *chosen)
{
    memset(chosen, true, (size_t)c->constraints * sizeof *chosen);
    for (int k = 0; k < c->constraints; k++) {
        chosen[k] = false;
        chosen[k] = hd_pairs_satisfiable(c->solver, chosen);
    }
}

/* Sets `chosen` to the smallest clash; false if the steps did not suffice. */
static bool find_smallest(core_search *c, bool *chosen)
{
    for (int size = 0;;) {
        memset(chosen, false, (size_t)c->constraints * sizeof *chosen);
        /* `size` never shrinks: more correction sets only make the smallest hitting set larger. */
        while (c->steps > 0 && !hit_all(c, chosen, size))
            size++;
        if (c->steps == 0)
            return false;
        if (!hd_pairs_satisfiable(c->solver, chosen))
            return true;
        add_correction(c, chosen);
    }
}

int hd_pairs_smallest_core(hd_pairs_solver *s, int constraints, int *core, bool *smallest)
{
    core_search c = { .solver = s, .constraints = constraints, .steps = most_steps };
    bool *chosen = hd_alloc(&hd_heap, (size_t)constraints * sizeof *chosen);
    int count = 0;
    memset(chosen, true, (size_t)constraints * sizeof *chosen);
    bool clash = !hd_pairs_satisfiable(s, chosen);
    *smallest = !clash || find_smallest(&c, chosen);
    if (!*smallest)
        shrink(&c, chosen);
    for (int k = 0; clash && k < constraints; k++)
        if (chosen[k])
            core[count++] = k;
    for (size_t i = 0; i < c.corrections.count; i++)
        hd_release(&hd_heap, c.corrections.items[i], 1);
    hd_vec_fini(&c.corrections);
    hd_release(&hd_heap, chosen, 1);
    return clash ? count : -1;
}

bool hd_pairs_holds(const hd_pairs_model *m, const hd_pairs_expression *e, const hd_pairs_cell *row)
{
    switch (e->kind) {
    case hd_pairs_and:
        return hd_pairs_holds(m, e->left, row) && hd_pairs_holds(m, e->right, row);
    case hd_pairs_or:
        return hd_pairs_holds(m, e->left, row) || hd_pairs_holds(m, e->right, row);
    case hd_pairs_not:
        return !hd_pairs_holds(m, e->left, row);
    case hd_pairs_one_of:
        return e->accepted[row[e->parameter]];
    case hd_pairs_compare:
        return hd_pairs_related(m, e->relation, e->parameter, row[e->parameter], e->other, row[e->other]);
    }
    hd_panic("expression kind %d", e->kind);
}
