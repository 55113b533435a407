/* Blocking-based simultaneous reachability analysis (algorithm Generate_BSRG;
 * docs/algorithms/bsra.md).
 *
 * From a state, every process runs alone through sends and internal transitions to where it must
 * receive; the combinations of such runs are the next blocking points (gen_next_bp). There, a set
 * of receives, at most one per process, is executed at once (gen_trans_sets). A process whose
 * receive could later get another message (a potential hereafter-executable transition) may also be
 * left out of the set. The graph contains every deadlock of the system.
 *
 * With visible transitions (5.2.1) a process also stops before one, every set has at most one of
 * them, and such a process may always be left out: then the graph also contains every violation of
 * an invariant or assertion.
 *
 * Where the paper leaves room: a later message counts as "could come first" only if nothing that
 * waits in the port precedes it.
 *
 * With sleep sets (2.6): a process that is left out of a set leaves receives undone that another
 * set, from the same state, executes. Until the process moves, executing them later leads to what
 * that other set leads to: they sleep (sleep.h).
 *
 * SRA, the approach that BSRA is compared with, executes sets of arbitrary transitions, at most one
 * per process and at most one send to a port, from state to state (sra.c).
 *
 * With several jobs the workers share the graph; the numbers of states then depend on timing, the
 * graph does not. */
#ifndef HD_MODEL_BSRA_H
#define HD_MODEL_BSRA_H

#include "model/order.h"
#include "model/full.h"
#include "model/sleep.h"

typedef enum hd_model_bsra_kind { HD_MODEL_BSRA, HD_MODEL_BSRA_SLEEP, HD_MODEL_SRA } hd_model_bsra_kind;

typedef struct hd_model_bsra {
    hd_model_bsra_kind kind;
    hd_model_system system;
    hd_model_shapes shapes;
    hd_model_order_layout layout;
    hd_model_scheme scheme;
    bool ordered, strict; /* causal ports with several senders; several such ports */
    hd_model_limits limits;
    struct hd_model_graph *graph;
    hd_model_sleeps sleeps; /* per state, with sleep sets */
    uint64_t states, edges, blocking_points;
    uint64_t counts[HD_MODEL_FINDING_KINDS];
    hd_model_findings findings; /* `state` is an index into the graph */
    hd_model_bound bound;
    int diverges; /* line of a process that can run for ever without receiving, or 0 */
    double seconds;
    bool *executed[HD_MODEL_MOST_PROCESSES + 1];
    /* called for every edge, if set: from state, to state, its moves (gen_next_bp's first, then the receives) */
    void (*on_edge)(void *context, uint32_t from, uint32_t to, const hd_model_move *moves, size_t before, size_t count);
    void *context;
} hd_model_bsra;

/* SRA is for causal communication; sleep sets are for models without visible transitions and for one job. */
bool hd_model_bsra_open(hd_model_bsra *b, hd_model_bsra_kind kind, const hd_promela_program *program,
    hd_model_scheme scheme, const hd_model_limits *limits, hd_error *error);
void hd_model_bsra_run(hd_model_bsra *b);

/* How messages are stored in states of a graph, for code that executes its moves. */
hd_model_scheme hd_model_bsra_kept_as(hd_model_bsra_kind kind, hd_model_scheme scheme);
void hd_model_bsra_close(hd_model_bsra *b);

/* The moves from the first state to a finding. */
void hd_model_bsra_path(hd_model_bsra *b, const hd_model_finding *f, hd_model_moves *path);

/* State `index` as a signature (system.h) or loaded into a machine. */
void hd_model_bsra_load(hd_model_bsra *b, uint32_t index, hd_model_machine *m, uint8_t *bytes);

#endif
