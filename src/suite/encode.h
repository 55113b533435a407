/* Configurations in SMT-LIB (the paper's C1 to C3, EC, R1 to R3, SC). A copy of the problem has a
 * Boolean for each event: whether it is in that configuration. An event implies its causes
 * (C1, R1); of those that take one token at most one is in (C3). With contexts each event
 * also has a number: it is greater than its causes' (R2), and who looks at a token has a
 * smaller one than who takes it, if both are in (R3). A goal is the disjunction of its
 * members over all copies (EC, SC). Inputs (C2) are asked for when a configuration is there:
 * if it has none, its branches together are excluded, and the solver is asked again.
 *
 * Only events that goals need are part of it: all goals, or those that it is told to look at. */
#ifndef HD_SUITE_ENCODE_H
#define HD_SUITE_ENCODE_H

#include "suite/packing.h"
#include "sym/script.h"

typedef struct hd_encoding {
    hd_packing *packing;
    const hd_problem *problem;
    hd_script script;
    hd_script_text text; /* to be sent next */
    bool *relevant; /* per event */
    hd_vec(uint32_t) events; /* those, in order */
    uint32_t *asked; /* members of goals and branches, each once */
    uint32_t asked_count;
    bool *value; /* per copy and asked: as the last answer has it */
    size_t value_count;
    uint32_t *place_of; /* per event: in `asked` */
} hd_encoding;

typedef enum hd_encode_answer { HD_ENCODE_NO, HD_ENCODE_YES, HD_ENCODE_STOPPED } hd_encode_answer;

/* False: there is no solver, or the problem is too big for `copies` copies. */
bool hd_encode_open(hd_encoding *e, hd_packing *p, uint32_t copies);
void hd_encode_close(hd_encoding *e);

/* From now on only these goals are looked at. */
void hd_encode_focus(hd_encoding *e, const uint32_t *goals, uint32_t count);

/* Adds a copy's variables and constraints to the text. */
void hd_encode_copy(hd_encoding *e, uint32_t copy);

/* Adds the goal, in copies [0, copies), as a term. */
void hd_encode_goal(hd_encoding *e, const hd_problem_goal *goal, uint32_t copies);

/* Sends the text, asks for a model, and keeps the values of `copies` copies; configurations whose
 * inputs contradict each other are excluded on the way. */
hd_encode_answer hd_encode_ask(hd_encoding *e, uint32_t copies);

/* For the optimiser: the text is a question about copy 0, with soft goals. */
hd_encode_answer hd_encode_optimise(hd_encoding *e);

/* The configuration of a copy in the model: what its goals need. */
void hd_encode_cone(hd_encoding *e, uint32_t copy, hd_cone *out);

/* Asks for covers of `lower` tests and more until there is one. `exclusive`: goals' events of which no two fit. */
void hd_encode_close_gap(hd_packing *p, const uint32_t *exclusive, uint32_t count);

#endif
