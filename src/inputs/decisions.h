/* Decisions about a sequence that depend on inputs (docs/algorithms/inputs.md, "dpor with inputs").
 *
 * The effect of a step with a branch on inputs inside is known only for inputs with which that branch has the same
 * value: *when* a term holds. So whether such a step, asleep or planned, can come first in a sequence may be true for
 * some inputs and false for others that take the sequence's path as well. A sequence is therefore processed with one
 * set of inputs, and every such question is recorded with its answer. Then it is processed with other inputs, for which
 * the last answer that can change does, until there are none left. It is the same search as that for the paths of a
 * program. */
#ifndef HD_INPUTS_DECISIONS_H
#define HD_INPUTS_DECISIONS_H

#include "inputs/path.h"

typedef struct hd_decision {
    hd_term when;
    bool holds;
    bool turned; /* both answers have been processed */
} hd_decision;

typedef struct hd_decisions {
    hd_path *path;
    hd_values values; /* the current inputs */
    hd_vec(hd_term) conditions; /* what they must satisfy in any case */
    hd_vec(hd_decision) made;
    uint32_t next; /* the next of those made, while the sequence is processed again */
    hd_vec(hd_term) query;
} hd_decisions;

void hd_decisions_init(hd_decisions *d, hd_path *path, hd_memory *memory);
void hd_decisions_fini(hd_decisions *d);

/* Starts with the inputs of the path's last execution, without decisions and conditions. */
void hd_decisions_begin(hd_decisions *d);

/* Does the term hold with the current inputs? Not recorded: the answer is the same for all inputs that satisfy the
 * conditions. */
bool hd_decisions_hold(hd_decisions *d, hd_term when);

/* Does it hold? The answer is recorded. */
bool hd_decide(hd_decisions *d, hd_term when);

/* Finds inputs for which a decision is different; false: there are none. The caller has filled in `conditions`, and
 * processes the sequence again. */
bool hd_decisions_turn(hd_decisions *d);

/* A record of the current inputs. */
hd_path_inputs hd_decisions_keep(hd_decisions *d, uint32_t users);

#endif
