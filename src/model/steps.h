/* All steps from a state. A step is one transition of one process, or two that meet in a
 * rendezvous. Inside an atomic sequence the process continues alone, and the states in between are
 * not visited. If it blocks inside, the state there is an ordinary state, and every process may go
 * on. The visitor is called once for every way out of a state, with the state it leads to and the
 * moves. */
#ifndef HD_MODEL_STEPS_H
#define HD_MODEL_STEPS_H

#include "model/machine.h"

typedef struct hd_move {
    const hd_promela_transition *transition;
    const hd_promela_transition *receiving; /* of a rendezvous, else NULL */
    int pid, receiver;
    int choice; /* which of the matching messages */
} hd_move;

typedef hd_vec(hd_move) hd_moves;

struct hd_stepper;

typedef struct hd_visitor {
    /* The machine holds the state that the moves lead to. False: stop. */
    bool (*arrive)(struct hd_visitor *v, struct hd_stepper *s);
    /* The moves end in a fault. False: stop. */
    bool (*fault)(struct hd_visitor *v, struct hd_stepper *s);
} hd_visitor;

typedef struct hd_stepper {
    hd_machine machine;
    hd_visitor *visitor;
    hd_moves moves;
    hd_vec(uint8_t *) buffers; /* one state's bytes per level of recursion */
    bool *reached[HD_MOST_PROCESSES + 1]; /* per proctype: control states from which a transition was tried */
    bool *executed[HD_MOST_PROCESSES + 1]; /* per proctype: transitions that were executed */
    bool stopped;
} hd_stepper;

void hd_stepper_open(hd_stepper *s, const hd_promela_program *program, hd_shapes *shapes, hd_scheme scheme);
void hd_stepper_close(hd_stepper *s);

/* Visits all steps from the state in `bytes`, which are not changed. Returns the number of ways
 * out; 0: no process can move. */
int hd_stepper_expand(hd_stepper *s, uint8_t *bytes, const hd_shape *shape, hd_visitor *v);

/* The two parts of hd_stepper_expand: the steps of one process with `timeout` false; the steps with
 * `timeout` true, for a state without others. */
int hd_stepper_expand_one(hd_stepper *s, uint8_t *bytes, const hd_shape *shape, int pid, hd_visitor *v);
int hd_stepper_expand_timeout(hd_stepper *s, uint8_t *bytes, const hd_shape *shape, hd_visitor *v);

/* Is the transition executable in the loaded state, with the choice-th matching message? Also used
 * by the reductions. */
bool hd_stepper_enabled(hd_stepper *s, int pid, const hd_promela_transition *t, int choice);

/* Is every process in a valid end state? */
bool hd_stepper_valid_end(hd_stepper *s, uint8_t *bytes, const hd_shape *shape);

/* A buffer for one state. */
uint8_t *hd_stepper_buffer(hd_stepper *s, size_t level);

#endif
