/* The system's graph, expanded on demand, for searches of its product with a claim. A *place* is a
 * state of the system with what is known of it: where its steps lead, which processes can take one,
 * and which propositions hold. Places are numbered in the order of discovery from 0. */
#ifndef HD_MODEL_SPACE_H
#define HD_MODEL_SPACE_H

#include "base/map.h"
#include "model/claim.h"
#include "model/outcome.h"
#include "model/store.h"

typedef struct hd_place {
    uint32_t number; /* in the store */
    uint32_t first, count; /* of its steps; none: the execution ends here */
    uint64_t holds; /* bits: propositions */
    uint64_t enabled; /* bits: processes that can take a step (of the first 64) */
    bool expanded, accepts; /* a process is at an accept label */
} hd_place;

typedef struct hd_stride { /* a step, or an atomic sequence of them */
    uint32_t to;
    uint64_t moved; /* bits: processes that took part */
} hd_stride;

typedef struct hd_space {
    const hd_promela_program *program;
    const hd_claim *claim;
    hd_shapes shapes;
    hd_stepper stepper;
    hd_store *store;
    hd_map places_of; /* from numbers in the store */
    hd_vec(hd_place) places;
    hd_vec(hd_stride) strides;
    uint8_t *bytes;
    hd_packed base;
    int most_processes; /* in any place */
    hd_fault fault; /* a proposition that could not be evaluated, and where */
    uint32_t fault_at;
    bool overflow; /* the store ran out of component numbers */
} hd_space;

/* `wide` as for hd_store_open. False: the model does not start; the search of its states says why. */
bool hd_space_open(hd_space *s, const hd_promela_program *program, hd_scheme scheme, const hd_claim *claim, bool wide);
void hd_space_close(hd_space *s);

/* A place with its steps and propositions. The pointer is valid until the next call. */
const hd_place *hd_space_expand(hd_space *s, uint32_t place);

/* Appends the moves of a place's step. */
void hd_space_moves(hd_space *s, uint32_t place, uint32_t step, hd_moves *moves);

uint64_t hd_space_bytes(const hd_space *s);

#endif
