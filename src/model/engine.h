/* The inside of BSRA: one worker's tools for expanding a state of the graph. A *position* is a
 * state under construction. Step 1 (runs.c) finds, per process, the runs through sends and internal
 * transitions to where it must receive; their combinations lead to the blocking points. Step 2
 * (sets.c) finds what each process may receive at a blocking point, and executes every set of such
 * transitions. Every edge ends in hd_engine_arrive (bsra.c). SRA has no first step. */
#ifndef HD_MODEL_ENGINE_H
#define HD_MODEL_ENGINE_H

#include "model/bsra.h"
#include "model/crew.h"
#include "model/graph.h"

typedef struct hd_position {
    uint8_t *bytes;
    hd_order *order; /* NULL: not kept */
} hd_position;

/* A run of one process: its moves, and their result. */
typedef struct hd_run {
    uint32_t first, count; /* in `run_moves` */
    uint8_t *mark; /* its local state and the messages sent: runs with equal marks are the same */
    uint32_t mark_size;
} hd_run;

typedef struct hd_choice {
    const hd_promela_transition *transition; /* NULL: the process is left out, or only settles a queue's head */
    int choice;
    bool visible;
    int channel, position; /* of a message that is fixed as the head of the queue although it is not received */
    hd_ports sends; /* with SRA */
    hd_sleeper sleeper; /* with sleep sets; message HD_NOT_TOLD: it never sleeps */
} hd_choice;

#define HD_NOT_TOLD UINT64_MAX

typedef struct hd_engine {
    hd_bsra *b;
    struct hd_bsra_team *team;
    hd_stepper stepper;
    hd_numbers open;
    uint32_t current;
    hd_position at; /* the state being expanded */
    hd_position blocking, next;
    hd_moves moves; /* of the current edge */
    hd_moves run_moves;
    hd_vec(hd_run) runs[HD_MOST_SENDERS];
    hd_vec(hd_choice) options[HD_MOST_SENDERS];
    hd_vec(uint8_t) mark;
    hd_vec(uint8_t *) path; /* local states along the run under construction */
    hd_graph seen; /* blocking points of the current state */
    hd_sleepers asleep, woken, next_asleep; /* of the current state, and of the next */
    bool again; /* the current state has been expanded before, with more sleepers */
    hd_arena scratch;
    uint8_t *key;
    uint64_t edges, blocking_points, steps;
    bool stop;
} hd_engine;

/* --- positions and moves: engine.c --- */

void hd_position_init(hd_engine *e, hd_position *p);
void hd_position_fini(hd_engine *e, hd_position *p);
void hd_position_copy(hd_engine *e, hd_position *to, const hd_position *from);
void hd_position_use(hd_engine *e, const hd_position *p); /* loads it into the stepper's machine */
uint8_t *hd_position_local(hd_engine *e, hd_position *p, int pid, uint32_t *size); /* a process's bytes */

/* The position's key, in e->key; its size. */
uint32_t hd_position_key(hd_engine *e, hd_position *p);

int hd_channel_length(const hd_machine *m, int channel);
bool hd_engine_visible(const hd_bsra *b, const hd_promela_code *code, const hd_promela_transition *t);

/* Can `pid` execute `t` with the choice-th matching message, in the order of messages? 0: no; 1:
 * yes; -1: not with this message, but perhaps with a later choice. */
int hd_engine_enabled(hd_engine *e, hd_position *p, int pid, const hd_promela_transition *t, int choice);

/* Executes an enabled transition whose guard has just been evaluated. False: a fault. */
bool hd_engine_execute(hd_engine *e, hd_position *p, int pid, const hd_promela_transition *t);
bool hd_engine_redo(hd_engine *e, hd_position *p, const hd_move *move);

/* Records the machine's fault as a finding and clears it. */
void hd_engine_fault(hd_engine *e, const hd_moves *moves);
void hd_engine_finding(hd_engine *e, hd_finding f, const hd_moves *moves);

/* Sets e->stop if the search is to end. */
bool hd_engine_stopped(hd_engine *e);

/* --- the two steps --- */

/* All runs of `pid` from a position, into e->runs[pid]. */
void hd_engine_find_runs(hd_engine *e, int pid, hd_position *p);

/* What `pid` can do at a blocking point, into e->options[pid]. */
void hd_engine_collect(hd_engine *e, hd_position *p, int pid);

/* Executes every set of the collected options at e->blocking, reached by e->moves. Whether there is any option. */
bool hd_engine_try_sets(hd_engine *e);

/* With SRA: every transition that `pid` can execute, into e->options[pid] (sra.c). */
void hd_engine_collect_steps(hd_engine *e, hd_position *p, int pid);

/* --- and what follows --- */

/* e->next is reached from e->current by e->moves, of which the first `before` lead to the blocking point. */
void hd_engine_arrive(hd_engine *e, size_t before);

#endif
