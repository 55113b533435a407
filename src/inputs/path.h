/* The path of an execution: its branches on inputs, kept as a stack beside the trace, and inputs for other paths
 * (docs/algorithms/inputs.md).
 *
 * A branch is a point where control flow, or an address that the program uses, depends on an input; it has one of
 * several values. Branches order nothing and are no scheduling points: they follow the step of their thread
 * immediately. So an execution is identified by its trace and its path together, and the search walks through one tree
 * in which the branches after a step precede the choice of the next step. `position` is the number of steps before a
 * branch.
 *
 * A branch is *inside* the step before it if another value may change what that step does; the log says so
 * (HD_OP_CONTINUES). All others come *after* it. Invariant, checked whenever a log is read: at each position, the
 * branches inside the step come first, and they are of the step's own thread.
 *
 * Another value of a branch is found by solving: all branches before it keep their values, and its own expression
 * differs from all values that it has had here. The schedule up to it stays, because no step before it depends on the
 * difference.
 *
 * A branch that is FOLLOWED is never given another value. One that is ASSUMED and holds is not negated: the execution
 * would not be a test. An explorer whose proof needs all paths after a step negates it nevertheless
 * (turns_assumptions). */
#ifndef HD_INPUTS_PATH_H
#define HD_INPUTS_PATH_H

#include "event/plan.h"
#include "sym/import.h"
#include "sym/solver.h"

typedef struct hd_path_branch {
    uint32_t position;
    uint16_t thread, flags;
    bool inside; /* the step before it, see above */
    bool open; /* it may have further values */
    const hd_site *site;
    uint64_t value;
    hd_term term, condition; /* the expression; the equation that it has this value, 0 if that is always so */
    uint32_t first_seen; /* in path.seen, up to the next branch's: the values that it had here before */
} hd_path_branch;

enum { HD_PATH_SITES = 8, HD_PATH_TERMS = 1 << 20 };

/* Places in the program whose other branch values are not explored. */
typedef struct hd_path_sites {
    const hd_site *sites[HD_PATH_SITES];
    uint32_t count; /* different ones, up to HD_PATH_SITES */
    uint64_t times;
} hd_path_sites;

/* A record of the inputs of an execution, for executions that must begin like it. Records are reference-counted. */
typedef uint32_t hd_path_inputs; /* 0: none */

typedef struct hd_path_record {
    hd_given *given;
    uint32_t count, users;
} hd_path_record;

/* Open: explorers walk through `branches` and build terms in `terms`. */
typedef struct hd_path {
    hd_memory *memory;
    hd_terms terms;
    hd_import import;
    hd_solver *solver;
    hd_vec(hd_path_branch) branches;
    hd_vec(uint64_t) seen;
    hd_given_list given; /* inputs of the last execution; after a flip, of the next */
    hd_values values; /* the same, by the numbers that inputs have among the terms */
    bool flipped; /* the last branch must get a value that it has not had yet */
    bool turns_assumptions; /* assumptions that hold are negated too, except before the first step */
    bool pinned; /* the owner keeps terms, so it calls hd_path_forget itself */
    size_t most_terms; /* beyond that, terms are forgotten, and imported again as needed */

    hd_vec(hd_path_record) records; /* from 1 */
    hd_vec(hd_path_inputs) unused;
    hd_path_inputs current; /* the record of `given`, if there is one */

    hd_vec(hd_term) conditions, goals; /* of the current query */
    hd_values solution;

    hd_path_sites followed; /* branches that are followed concretely: other values are not explored */
    hd_path_sites unsolved; /* branches for which the solver had no answer */
    uint32_t misfit; /* the log entry of a branch that contradicts the path, or ~0 */
} hd_path;

void hd_path_init(hd_path *p, const hd_solver_config *config, hd_memory *memory);
void hd_path_fini(hd_path *p);

/* Continues in another process than the one that made it. */
void hd_path_attach(hd_path *p, const hd_solver_config *config);

/* Adds the branches of the execution to those that the path has; false: the execution does not begin with the path. */
bool hd_path_extend(hd_path *p, const hd_execution *e);

/* Checks, after an execution was taken over:
 * - branches are in the order of their positions, and of those behind one step the ones inside it come first;
 * - the inputs at hand give each branch its value: the path condition holds;
 * - no branch has a value that it had here before;
 * - a record of inputs has users, or is free to be used again. */
bool hd_path_is_valid(hd_path *p);

/* For explorers that keep no stack of branches. Reads the inputs of the execution. */
void hd_path_begin(hd_path *p, const hd_execution *e);

/* The meaning of one of its branches. No more terms are made than that needs. */
hd_path_branch hd_path_understand(hd_path *p, const hd_op *op);

/* Finds inputs with which all conditions hold. `values` are tried first, and changed if they do not satisfy them. If
 * the solver has no answer, the site is noted in `unsolved`. */
hd_answer hd_path_satisfy(hd_path *p, const hd_term *conditions, size_t count, const hd_site *site, hd_values *values);

/* Notes that other values at this source location are not explored. */
void hd_path_lose(hd_path *p, const hd_site *site);

/* Drops the branches after more than `steps` steps. */
void hd_path_cut(hd_path *p, uint32_t steps);

/* Finds inputs with another value for the last branch, with which none of the terms holds, and sets `given`; false:
 * there are none, and the branch is dropped. */
bool hd_path_turn(hd_path *p, const hd_term *unless, size_t count);

/* Finds inputs with which all branches keep their values, all of `also` hold and none of `unless` does, and sets
 * `given`. If the solver has no answer, the site is noted in `unsolved`. */
bool hd_path_avoid(
    hd_path *p, const hd_term *also, size_t also_count, const hd_term *unless, size_t count, const hd_site *site);

/* Drops the last branch, even if it may have further values. */
void hd_path_give_up(hd_path *p);

/* As hd_path_turn, with the inputs of a record, if they give the last branch a new value and those before it the same
 * values. Otherwise nothing changes. */
bool hd_path_turn_to(hd_path *p, hd_path_inputs inputs);

/* Undoes hd_path_turn_to, before the next execution. */
void hd_path_turn_back(hd_path *p);

/* Is there a branch at `position` or later? */
bool hd_path_reaches(const hd_path *p, uint32_t position);

/* Turns the last branch at `position` or later that has another value, and drops those after it. */
bool hd_path_flip(hd_path *p, uint32_t position);

/* Finds inputs with which branch `index` has a value that is neither its own nor one of `seen`, and all branches before
 * it keep theirs. The path does not change. HD_SAT: `other` is that value. For explorers that keep no stack. */
hd_answer hd_path_solve(
    hd_path *p, size_t index, const uint64_t *seen, size_t seen_count, hd_given_list *given, uint64_t *other);

/* Drops all branches. */
void hd_path_clear(hd_path *p);

/* The *way* after step `position - 1`: a hash of the branches at the position with their values; 0: there are none. */
uint64_t hd_path_way(const hd_path *p, uint32_t position);

/* Is there a branch after step `position - 1` that is not inside it? */
bool hd_path_turns(const hd_path *p, uint32_t position);

/* The condition on inputs under which step `position - 1` has its effect: one term for the branches inside it. 0: it
 * has that effect with any inputs. */
hd_term hd_path_when(hd_path *p, uint32_t position);

/* Are there branches inside it, even if they have no other values? */
bool hd_path_branches_inside(const hd_path *p, uint32_t position);

/* As hd_path_when, for all branches at the position: the step has its effect and is followed by the same way. */
hd_term hd_path_condition(hd_path *p, uint32_t position);

/* Does the term hold with the current inputs? All inputs that it mentions are given to the next execution. */
bool hd_path_holds(hd_path *p, hd_term when);

/* If the path is pinned and has too many terms, the owner calls hd_path_begin_forgetting, hd_terms_keep for each term
 * that it refers to, and hd_path_forget; then it must ask for their new numbers at once (hd_terms_renumbered). */
static inline bool hd_path_is_full(const hd_path *p)
{
    return p->terms.nodes.count > p->most_terms;
}
void hd_path_begin_forgetting(hd_path *p);
void hd_path_forget(hd_path *p);

/* A record of the inputs of the last execution, with `users` more references. */
hd_path_inputs hd_path_keep(hd_path *p, uint32_t users);

/* A record of inputs with these values, including those that the terms mention. */
hd_path_inputs hd_path_keep_values(
    hd_path *p, const hd_values *values, const hd_term *terms, size_t count, uint32_t users);
void hd_path_drop(hd_path *p, hd_path_inputs inputs);

/* Makes the inputs of a record those of the next execution. False, and nothing changes: with them the branches of the
 * path would not have their values. */
bool hd_path_use(hd_path *p, hd_path_inputs inputs);

#endif
