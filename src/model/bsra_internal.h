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
 * graph does not.
 *
 * Inside: one worker's tools for expanding a state of the graph. A *position* is a
 * state under construction. Step 1 (runs.c) finds, per process, the runs through sends and internal
 * transitions to where it must receive; their combinations lead to the blocking points. Step 2
 * (sets.c) finds what each process may receive at a blocking point, and executes every set of such
 * transitions. Every edge ends in hd_model_expander_arrive (bsra.c). SRA has no first step. */
#ifndef HD_MODEL_BSRA_INTERNAL_H
#define HD_MODEL_BSRA_INTERNAL_H

#include "model/crew.h"
#include "model/graph.h"
#include "model/search.h"
#include "model/sleep.h"

typedef enum hd_model_bsra_kind { HD_MODEL_BSRA, HD_MODEL_BSRA_SLEEP, HD_MODEL_SRA } hd_model_bsra_kind;

/* One search, shared by its workers. */
typedef struct hd_model_bsra {
    hd_model_bsra_kind kind;
    hd_model_setup setup;
    hd_model_system system;
    hd_model_shapes shapes;
    hd_model_order_layout layout;
    bool ordered, strict; /* causal ports with several senders; several such ports */
    hd_model_graph *graph;
    hd_model_sleeps *sleeps; /* per state; empty without sleep sets */
    const hd_model_edges *edges; /* NULL: not wanted */
    hd_model_result result; /* the state of a finding is an index into the graph */
} hd_model_bsra;

typedef struct hd_model_position {
    uint8_t *bytes;
    hd_model_order *order; /* NULL: not kept */
} hd_model_position;

/* A run of one process: its moves, and their result. */
typedef struct hd_model_local_run {
    uint32_t first, count; /* in `run_moves` */
    uint8_t *mark; /* its local state and the messages sent: runs with equal marks are the same */
    uint32_t mark_size;
} hd_model_local_run;

typedef struct hd_model_choice {
    const hd_promela_transition *transition; /* NULL: the process is left out, or only settles a queue's head */
    int choice;
    bool visible;
    int channel, position; /* of a message that is fixed as the head of the queue although it is not received */
    hd_model_ports sends; /* with SRA */
    hd_model_sleeper sleeper; /* with sleep sets; message HD_MODEL_NOT_TOLD: it never sleeps */
} hd_model_choice;

#define HD_MODEL_NOT_TOLD UINT64_MAX

typedef struct hd_model_expander {
    hd_model_bsra *b;
    struct hd_model_bsra_team *team;
    hd_model_stepper stepper;
    hd_model_numbers open;
    uint32_t current;
    hd_model_position at; /* the state being expanded */
    hd_model_position blocking, next;
    hd_model_moves moves; /* of the current edge */
    hd_model_moves run_moves;
    hd_vec(hd_model_local_run) runs[HD_MODEL_MOST_SENDERS];
    hd_vec(hd_model_choice) options[HD_MODEL_MOST_SENDERS];
    hd_vec(uint8_t) mark;
    hd_vec(uint8_t *) path; /* local states along the run under construction */
    hd_model_graph *seen; /* blocking points of the current state */
    hd_model_sleepers asleep, woken, next_asleep; /* of the current state, and of the next */
    bool again; /* the current state has been expanded before, with more sleepers */
    hd_arena scratch;
    uint8_t *key;
    uint64_t edges, blocking_points, steps;
    bool stop;
} hd_model_expander;

/* --- positions and moves: expander.c --- */

void hd_model_position_init(hd_model_expander *e, hd_model_position *p);
void hd_model_position_fini(hd_model_expander *e, hd_model_position *p);
void hd_model_position_copy(hd_model_expander *e, hd_model_position *to, const hd_model_position *from);
void hd_model_position_use(hd_model_expander *e, const hd_model_position *p); /* loads it into the stepper's machine */
uint8_t *hd_model_position_local(
    hd_model_expander *e, hd_model_position *p, int pid, uint32_t *size); /* a process's bytes */

/* The position's key, in e->key; its size. */
uint32_t hd_model_position_key(hd_model_expander *e, hd_model_position *p);

int hd_model_channel_length(const hd_model_machine *m, int channel);
bool hd_model_expander_visible(const hd_model_bsra *b, const hd_promela_code *code, const hd_promela_transition *t);

/* Can `pid` execute `t` with the choice-th matching message, in the order of messages? 0: no; 1:
 * yes; -1: not with this message, but perhaps with a later choice. */
int hd_model_expander_enabled(
    hd_model_expander *e, hd_model_position *p, int pid, const hd_promela_transition *t, int choice);

/* Executes an enabled transition whose guard has just been evaluated. False: a fault. */
bool hd_model_expander_execute(hd_model_expander *e, hd_model_position *p, int pid, const hd_promela_transition *t);
bool hd_model_expander_redo(hd_model_expander *e, hd_model_position *p, const hd_model_move *move);

/* Records the machine's fault as a finding and clears it. */
void hd_model_expander_fault(hd_model_expander *e, const hd_model_moves *moves);
void hd_model_expander_finding(hd_model_expander *e, hd_model_finding f, const hd_model_moves *moves);

/* Sets e->stop if the search is to end. */
bool hd_model_expander_stopped(hd_model_expander *e);

/* --- the two steps --- */

/* All runs of `pid` from a position, into e->runs[pid]. */
void hd_model_expander_find_runs(hd_model_expander *e, int pid, hd_model_position *p);

/* What `pid` can do at a blocking point, into e->options[pid]. */
void hd_model_expander_collect(hd_model_expander *e, hd_model_position *p, int pid);

/* Executes every set of the collected options at e->blocking, reached by e->moves. Whether there is any option. */
bool hd_model_expander_try_sets(hd_model_expander *e);

/* With SRA: every transition that `pid` can execute, into e->options[pid] (sra.c). */
void hd_model_expander_collect_steps(hd_model_expander *e, hd_model_position *p, int pid);

/* --- and what follows --- */

/* e->next is reached from e->current by e->moves, of which the first `before` lead to the blocking point. */
void hd_model_expander_arrive(hd_model_expander *e, size_t before);

#endif
