/* Decisions about a sequence that rest on inputs.
 *
 * What a step with a branch on inputs in its middle does is known only for inputs
 * with which that branch has the value it had: *when* a term holds. Whether such a
 * step, which sleeps or is planned, can come first in a sequence may therefore
 * be so with some inputs and not with others that take the sequence's way as well.
 * So a sequence is looked at with one set of inputs; every such question is noted
 * with its answer; and then with other inputs, for which the last answer that
 * can be otherwise is, until there are none left: like the paths of a program.
 */
#ifndef HD_INPUTS_DECISIONS_H
#define HD_INPUTS_DECISIONS_H

#include "inputs/path.h"

typedef struct hd_decision {
    hd_term when;
    bool holds;
    bool turned; /* both answers have been had */
} hd_decision;

typedef struct hd_decisions {
    hd_path *path;
    hd_values values; /* the inputs at hand */
    hd_vec(hd_term) conditions; /* what must hold of them in any case */
    hd_vec(hd_decision) made;
    uint32_t next; /* of those made, while they are made again */
    hd_vec(hd_term) query;
} hd_decisions;

void hd_decisions_init(hd_decisions *d, hd_path *path, hd_memory *memory);
void hd_decisions_fini(hd_decisions *d);

/* With the inputs of the path's last execution; nothing is decided or required. */
void hd_decisions_begin(hd_decisions *d);

/* Does the term hold with the inputs at hand? Not noted: it is the same with all
 * inputs that fulfil the conditions. */
bool hd_decisions_hold(hd_decisions *d, hd_term when);

/* Does it? The answer is noted. */
bool hd_decide(hd_decisions *d, hd_term when);

/* Finds inputs for which something is decided otherwise; false: there are none. The caller
 * has put what inputs must fulfil into `conditions`, and goes through all again. */
bool hd_decisions_turn(hd_decisions *d);

/* A record of the inputs at hand. */
hd_path_inputs hd_decisions_keep(hd_decisions *d, uint32_t users);

#endif
