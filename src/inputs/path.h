/* The path of an execution: its branches on inputs, kept as a stack beside the
 * trace, and how to take another.
 *
 * A branch is where the program's way, or an address it uses, depended on an
 * input; it had one of several values. Branches order nothing and nobody is
 * asked about them: they come at once after the step that leads up to them. So
 * an execution is told by its trace and its path together, and exploring is a
 * walk in one tree in which the branches behind a step stand before the choice
 * of the next step. `position` says how many steps came before a branch.
 *
 * A branch is *inside* the step before it if another value may change what that step
 * does; the log says so (HD_OP_CONTINUES). All others are *behind* it. Invariant, checked
 * whenever a log is read: behind each step, those inside come first, and they are of the
 * step's own thread.
 *
 * Another value of a branch is found by solving: all branches before it as they
 * are, and its own expression different from all values it has had here. What
 * follows is new ground; the schedule up to it stays as it is, because no step
 * before it looked at what makes the difference.
 *
 * A branch that is FOLLOWED is never given another value, and one that is
 * ASSUMED and holds is not given up: there would be no test. An explorer that rests on having
 * seen all that follows a step has to give it up all the same (turns_assumptions).
 */
#ifndef HD_INPUTS_PATH_H
#define HD_INPUTS_PATH_H

#include "event/plan.h"
#include "sym/import.h"
#include "sym/solver.h"

typedef struct hd_path_branch {
    uint32_t position;
    uint16_t thread, flags;
    bool inside; /* the step before it: another value may change what that step does */
    bool open; /* other values may be left */
    const hd_site *site;
    uint64_t value;
    hd_term term, condition; /* the expression; that it has this value */
    uint32_t first_seen; /* values that it had before, in path.seen, up to the next branch's */
} hd_path_branch;

enum { HD_PATH_SITES = 8, HD_PATH_TERMS = 1 << 20 };

/* Places in the program where something was lost. */
typedef struct hd_path_sites {
    const hd_site *sites[HD_PATH_SITES];
    uint32_t count; /* different ones; more than there is room for are not kept */
    uint64_t times;
} hd_path_sites;

/* The inputs of an execution, kept for executions that are to begin like it. */
typedef uint32_t hd_path_inputs; /* 0: none */

typedef struct hd_path_record {
    hd_given *given;
    uint32_t count, users;
} hd_path_record;

typedef struct hd_path {
    hd_memory *memory;
    hd_terms terms;
    hd_import import;
    hd_solver *solver;
    hd_vec(hd_path_branch) branches;
    hd_vec(uint64_t) seen;
    hd_given_list given; /* inputs of the last execution; after a flip, of the next */
    hd_values values; /* the same, by their places in the pool */
    bool flipped; /* the last branch is to have a value that it has not had yet */
    bool turns_assumptions; /* those that hold too, but for those that come before all steps */
    bool pinned; /* somebody keeps terms, and sees to it that they are forgotten */
    size_t most_terms; /* more are forgotten, and taken over again as needed */

    hd_vec(hd_path_record) records; /* from 1 */
    hd_vec(hd_path_inputs) unused;
    hd_path_inputs current; /* the record of `given`, if there is one */

    hd_vec(hd_term) conditions, goals; /* of the query at hand */
    hd_values solution;

    hd_path_sites followed; /* concretely: other values are not explored */
    hd_path_sites unsolved; /* no answer */
    uint32_t misfit; /* where in the log a branch was not as it must be, or ~0 */
} hd_path;

void hd_path_init(hd_path *p, const hd_solver_config *config, hd_memory *memory);
void hd_path_fini(hd_path *p);

/* In another process than the one that made it. */
void hd_path_attach(hd_path *p, const hd_solver_config *config);

/* Takes over the branches of the execution beyond those that the path has;
 * false if those are not what the execution begins with. */
bool hd_path_extend(hd_path *p, const hd_execution *e);

/* For explorers that keep no stack of branches: takes over the inputs of the
 * execution, */
void hd_path_begin(hd_path *p, const hd_execution *e);

/* tells what one of its branches means (no more terms are made than that needs), */
hd_path_branch hd_path_understand(hd_path *p, const hd_op *op);

/* and finds inputs with which all the conditions hold: `values` are to begin with,
 * and are changed if they do not do. No answer is noted for the place. */
hd_answer hd_path_satisfy(hd_path *p, const hd_term *conditions, size_t count, const hd_site *site, hd_values *values);

/* Other values at this place are not explored. */
void hd_path_lose(hd_path *p, const hd_site *site);

/* Keeps the branches that come after `steps` steps at most. */
void hd_path_cut(hd_path *p, uint32_t steps);

/* Finds another value for the last branch, with which none of the terms holds, and
 * sets `given`; false: it has none, and is dropped. */
bool hd_path_turn(hd_path *p, const hd_term *unless, size_t count);

/* Finds inputs with which all branches are as they are, all of `also` hold and none of
 * `unless` does, and sets `given`. No answer is noted for the place. */
bool hd_path_avoid(
    hd_path *p, const hd_term *also, size_t also_count, const hd_term *unless, size_t count, const hd_site *site);

/* Drops the last branch, whatever values it has left. */
void hd_path_give_up(hd_path *p);

/* The same with inputs of a record, if they give it a value that it has not had
 * and leave those before it as they are; else nothing changes. */
bool hd_path_turn_to(hd_path *p, hd_path_inputs inputs);

/* Takes that back, before the next execution. */
void hd_path_turn_back(hd_path *p);

/* Is there a branch with a position of `position` or more? */
bool hd_path_reaches(const hd_path *p, uint32_t position);

/* Turns the last of those that has another value, dropping those behind it. */
bool hd_path_flip(hd_path *p, uint32_t position);

/* Inputs with which branch `index` has a value that is neither its own nor one
 * of `seen`, and all before it those they have; the path stays as it is. HD_SAT:
 * `other` is that value. For explorers that keep no stack. */
hd_answer hd_path_solve(
    hd_path *p, size_t index, const uint64_t *seen, size_t seen_count, hd_given_list *given, uint64_t *other);

/* Gives up all branches. */
void hd_path_clear(hd_path *p);

/* What a step leads up to, as a number: the branches behind step `position - 1`
 * with their values; 0: none. */
uint64_t hd_path_way(const hd_path *p, uint32_t position);

/* Is there a branch behind step `position - 1`, and not in its middle? */
bool hd_path_turns(const hd_path *p, uint32_t position);

/* What must hold of inputs for step `position - 1` to do what it did: one term for
 * the branches in its middle. 0: it does that with any. */
hd_term hd_path_when(hd_path *p, uint32_t position);

/* Are there any, even if they cannot go another way? */
bool hd_path_branches_inside(const hd_path *p, uint32_t position);

/* The same for all branches behind the step: for it to lead where it led. */
hd_term hd_path_condition(hd_path *p, uint32_t position);

/* Does the term hold with the inputs at hand? Those are given from now on. */
bool hd_path_holds(hd_path *p, hd_term when);

/* If the path is pinned and has too many terms: forgets those that are not kept with hd_terms_keep in
 * between. Whoever keeps some has to ask for their new numbers at once. */
static inline bool hd_path_is_full(const hd_path *p)
{
    return p->terms.nodes.count > p->most_terms;
}
void hd_path_begin_forgetting(hd_path *p);
void hd_path_forget(hd_path *p);

/* A record of the inputs of the last execution, with so many users more. */
hd_path_inputs hd_path_keep(hd_path *p, uint32_t users);

/* The same of inputs with these values, with those of the terms among them. */
hd_path_inputs hd_path_keep_values(
    hd_path *p, const hd_values *values, const hd_term *terms, size_t count, uint32_t users);
void hd_path_drop(hd_path *p, hd_path_inputs inputs);

/* Makes the inputs of a record those of the next execution; false, and nothing
 * changes: with them the branches of the path would not be as they are. */
bool hd_path_use(hd_path *p, hd_path_inputs inputs);

#endif
