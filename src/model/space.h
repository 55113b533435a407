/* The system's graph, expanded on demand, for searches of its product with a claim. A *vertex* is a
 * state of the system with what is known of it: where its steps lead, which processes can take one,
 * and which propositions hold. Vertices are numbered in the order of discovery from 0. */
#ifndef HD_MODEL_SPACE_H
#define HD_MODEL_SPACE_H

#include "base/map.h"
#include "model/claim.h"
#include "model/outcome.h"
#include "model/store.h"

typedef struct hd_model_vertex {
    uint32_t number; /* in the store */
    uint32_t first, count; /* of its steps; none: the execution ends here */
    uint64_t holds; /* bits: propositions */
    uint64_t enabled; /* bits: processes that can take a step (of the first 64) */
    bool expanded, accepts; /* a process is at an accept label */
} hd_model_vertex;

typedef struct hd_model_successor { /* a step, or an atomic sequence of them */
    uint32_t to;
    uint64_t moved; /* bits: processes that took part */
} hd_model_successor;

/* Open for speed: liveness.c reads successors in its inner loop. */
typedef struct hd_model_space {
    const hd_promela_program *program;
    const hd_model_claim *claim;
    hd_model_shapes shapes;
    hd_model_stepper stepper;
    hd_model_store *store;
    hd_map vertices_of; /* from numbers in the store */
    hd_vec(hd_model_vertex) vertices;
    hd_vec(hd_model_successor) successors;
    uint8_t *bytes;
    hd_model_packed base;
    int most_processes; /* in any vertex */
    hd_model_fault fault; /* a proposition that could not be evaluated, and where */
    uint32_t fault_at;
    bool overflow; /* the store ran out of component numbers */
} hd_model_space;

/* `wide` as for hd_model_store_open. False: the model does not start; the search of its states says why. */
bool hd_model_space_open(hd_model_space *s, const hd_promela_program *program, hd_model_scheme scheme,
    const hd_model_claim *claim, bool wide);
void hd_model_space_close(hd_model_space *s);

/* A vertex with its steps and propositions. The pointer is valid until the next call. */
const hd_model_vertex *hd_model_space_expand(hd_model_space *s, uint32_t vertex);

/* Appends the moves of a vertex's step. */
void hd_model_space_moves(hd_model_space *s, uint32_t vertex, uint32_t step, hd_model_moves *moves);

uint64_t hd_model_space_bytes(const hd_model_space *s);

#endif
