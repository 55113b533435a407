/* Configurations in SMT-LIB (docs/algorithms/suite.md, `exact`, step 4, and `maxsmt`): the paper's constraints C1 to
 * C3, R1 to R3, EC and SC.
 *
 * A copy of the problem has a Boolean per event: whether it is in that configuration. An event
 * implies its causes (C1, R1); at most one of the events that take a token is in (C3). With
 * contexts, each event also has an integer: greater than its causes' (R2), and if both a reader and
 * the taker of a token are in, the reader's is smaller (R3). A goal is the disjunction of its
 * members over all copies (EC, SC). Inputs (C2) are checked lazily: if a configuration of the model
 * has no inputs, its branches together are excluded and the solver is asked again.
 *
 * Only events that goals need are encoded: those of all goals, or those of a focus. */
#ifndef HD_SUITE_ENCODE_H
#define HD_SUITE_ENCODE_H

#include "suite/packing.h"
#include "sym/smt.h"

/* Open: methods add their own questions to the text. */
typedef struct hd_suite_encoding {
    hd_suite_packing *packing;
    const hd_suite_problem *problem;
    hd_smt *smt; /* NULL: not started */
    hd_smt_text text; /* text to send next */
    bool *relevant; /* per event: is it encoded? */
    hd_vec(uint32_t) events; /* the encoded events, in order */
    uint32_t *asked; /* events whose values are asked for: members of goals, and branches */
    uint32_t asked_count;
    bool *value; /* per copy and asked event: its value in the last model */
    size_t value_count;
    uint32_t *asked_at; /* per event: its index in `asked` */
} hd_suite_encoding;

typedef enum hd_suite_encode_answer {
    HD_SUITE_ENCODE_NO,
    HD_SUITE_ENCODE_YES,
    HD_SUITE_ENCODE_STOPPED
} hd_suite_encode_answer;

/* False: there is no solver, or the problem is too big for `copies` copies. */
bool hd_suite_encode_open(hd_suite_encoding *e, hd_suite_packing *p, uint32_t copies);
void hd_suite_encode_close(hd_suite_encoding *e);

/* Restricts the encoding to these goals. */
void hd_suite_encode_focus(hd_suite_encoding *e, const uint32_t *goals, uint32_t count);

/* Adds a copy's variables and constraints to the text. */
void hd_suite_encode_copy(hd_suite_encoding *e, uint32_t copy);

/* Adds the goal over copies [0, copies), as a term. */
void hd_suite_encode_goal(hd_suite_encoding *e, const hd_suite_problem_goal *goal, uint32_t copies);

/* Sends the text, asks for a model and keeps the values of `copies` copies. Configurations without
 * inputs are excluded on the way. */
hd_suite_encode_answer hd_suite_encode_ask(hd_suite_encoding *e, uint32_t copies);

/* As hd_suite_encode_ask for the optimiser: the text is a question about copy 0 with soft goals. */
hd_suite_encode_answer hd_suite_encode_optimise(hd_suite_encoding *e);

/* The configuration of a copy in the model: the union of the cones of its asked events. */
void hd_suite_encode_cone(hd_suite_encoding *e, uint32_t copy, hd_configuration *out);

/* Asks for covers of `lower` tests, lower + 1, … until there is one; each "no" raises the lower
 * bound. `exclusive`: events of goals of which no two fit. */
void hd_suite_encode_close_gap(hd_suite_packing *p, const uint32_t *exclusive, uint32_t count);

#endif
