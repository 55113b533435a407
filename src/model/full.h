/* The full reachability graph (algorithm Generate_RG): every step of every state, each state once,
 * breadth first. So with one job, no path to the first finding of a kind has fewer steps than the one
 * shown (an atomic sequence is one step). States are counted as SPIN counts them: states inside
 * atomic sequences are not. With several jobs the workers share the store; each owns a part of the
 * states (model/post.h) and has a queue of those that it has to expand.
 *
 * Findings refer to states by number, so the store stays open until the result is closed. */
#ifndef HD_MODEL_FULL_H
#define HD_MODEL_FULL_H

#include "model/memo.h"
#include "model/outcome.h"

typedef struct hd_model_full {
    const hd_promela_program *program;
    hd_model_shapes shapes;
    hd_model_scheme scheme;
    bool unbounded;
    hd_model_limits limits;
    const hd_model_findings *wanted; /* stop once a finding like each of these is found; NULL: search everything */
    size_t memo_words; /* room of each worker's memo */
    hd_model_store *store;
    uint32_t first;
    uint64_t edges, memo_bytes;
    uint64_t counts[HD_MODEL_FINDING_KINDS]; /* findings of each kind, kept or not */
    hd_model_findings findings;
    hd_model_bound bound;
    bool *reached[HD_MODEL_MOST_PROCESSES + 1], *executed[HD_MODEL_MOST_PROCESSES + 1];
    double seconds;
} hd_model_full;

void hd_model_full_open(
    hd_model_full *s, const hd_promela_program *program, hd_model_scheme scheme, const hd_model_limits *limits);
void hd_model_full_run(hd_model_full *s);
void hd_model_full_close(hd_model_full *s);

/* The moves from the first state to a finding, in order (paths.c). */
void hd_model_full_path(hd_model_full *s, const hd_model_finding *f, hd_model_moves *path);

/* Calls `edge` for every edge of the graph with its moves. States are numbered in the order of
 * discovery from 0 (paths.c). */
typedef void hd_model_edge_visitor(void *context, uint32_t from, uint32_t to, const hd_model_move *moves, size_t count);
void hd_model_full_edges(hd_model_full *s, hd_model_edge_visitor *edge, void *context);

#endif
