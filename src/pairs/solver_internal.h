/* Internals shared by solver.c, compile.c and solver_valid.c: the compiled constraints and the state of a search. */
#ifndef HD_PAIRS_SOLVER_INTERNAL_H
#define HD_PAIRS_SOLVER_INTERNAL_H

#include "base/map.h"
#include "pairs/solver.h"

typedef enum hd_pairs_node_kind {
    hd_pairs_node_and,
    hd_pairs_node_or,
    hd_pairs_node_set,
    hd_pairs_node_pair
} hd_pairs_node_kind;

typedef struct hd_pairs_node {
    hd_pairs_node_kind kind;
    int left, right; /* and, or */
    int parameter, other; /* set; pair */
    size_t words; /* set: the accepted values; pair: per value of `parameter`, those of `other` */
} hd_pairs_node;

typedef hd_vec(int) hd_pairs_int_list;

/* Parameters that constraints connect, and answers about them. */
typedef struct hd_pairs_component {
    hd_pairs_int_list members, constraints;
    bool has_base_row; /* satisfiable by positive values, nothing assigned */
    bool coded; /* partial assignments fit into 64 bits */
    hd_map answers;
} hd_pairs_component;

struct hd_pairs_solver {
    const hd_pairs_model *model;
    int columns, constraints;
    int *first_word; /* of a parameter's set in a state; [columns] is the total */
    uint64_t *start; /* all positive values */
    hd_vec(hd_pairs_node) nodes;
    hd_vec(uint64_t) words;
    int *roots; /* per constraint: its node */
    bool *active; /* per constraint: in force (all are, except while looking for a core) */
    hd_pairs_int_list *watchers; /* per column: the constraints that mention it */
    int *component_of; /* per column, or -1 */
    hd_vec(hd_pairs_component) components;
    bool *queued;
    hd_pairs_int_list queue;
    uint64_t solved; /* questions about a component that were not in its cache */
};

static inline int hd_pairs_words(const hd_pairs_solver *s, int p)
{
    return s->first_word[p + 1] - s->first_word[p];
}

/* How many values of the parameter the state leaves. */
static inline int hd_pairs_values_left(const hd_pairs_solver *s, const uint64_t *state, int p)
{
    int count = 0;
    for (int i = s->first_word[p]; i < s->first_word[p + 1]; i++)
        count += __builtin_popcountll(state[i]);
    return count;
}

/* Narrows `state` so that every choice from it is a solution for the component; false if there is none. */
bool hd_pairs_solve_component(hd_pairs_solver *s, const hd_pairs_component *c, uint64_t *state);

/* Checks, between questions:
 * - nothing is queued, and all constraints are in force;
 * - a constraint is watched by exactly the columns that it mentions, and these are in one component, which alone
 *   lists the constraint: so components can be decided separately;
 * - the start state has the positive values;
 * - every answer in a cache is right for the assignment that its code stands for, and the solution that proves a
 *   positive one satisfies the constraints as the model has them. */
bool hd_pairs_solver_is_valid(hd_pairs_solver *s);

#endif
