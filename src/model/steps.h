/* All steps from a state. A step is one transition of one process, or two that meet in a
 * rendezvous. Inside an atomic sequence the process continues alone, and the states in between are
 * not visited. If it blocks inside, the state there is an ordinary state, and every process may go
 * on. The visitor is called once for every way out of a state, with the state it leads to and the
 * moves. */
#ifndef HD_MODEL_STEPS_H
#define HD_MODEL_STEPS_H

#include "model/machine.h"

typedef struct hd_model_move {
    const hd_promela_transition *transition;
    const hd_promela_transition *receiving; /* of a rendezvous, else NULL */
    int pid, receiver;
    int choice; /* which of the matching messages */
} hd_model_move;

typedef hd_vec(hd_model_move) hd_model_moves;

struct hd_model_stepper;

typedef struct hd_model_visitor {
    /* The machine holds the state that the moves lead to. False: stop. */
    bool (*arrive)(struct hd_model_visitor *v, struct hd_model_stepper *s);
    /* The moves end in a fault. False: stop. */
    bool (*fault)(struct hd_model_visitor *v, struct hd_model_stepper *s);
} hd_model_visitor;

/* Open for speed: visitors read the machine and the moves. */
typedef struct hd_model_stepper {
    hd_model_machine machine;
    hd_model_visitor *visitor;
    hd_model_moves moves;
    hd_vec(uint8_t *) buffers; /* one state's bytes per level of recursion */
    bool *reached[HD_MODEL_MOST_PROCESSES + 1]; /* per proctype: control states from which a transition was tried */
    bool *executed[HD_MODEL_MOST_PROCESSES + 1]; /* per proctype: transitions that were executed */
    bool stopped;
} hd_model_stepper;

void hd_model_stepper_open(
    hd_model_stepper *s, const hd_promela_program *program, hd_model_shapes *shapes, hd_model_scheme scheme);
void hd_model_stepper_close(hd_model_stepper *s);

/* Visits all steps from the state in `bytes`, which are not changed. Returns the number of ways
 * out; 0: no process can move. */
int hd_model_stepper_expand(hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, hd_model_visitor *v);

/* The two parts of hd_model_stepper_expand: the steps of one process with `timeout` false; the steps with
 * `timeout` true, for a state without others. */
int hd_model_stepper_expand_one(
    hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, int pid, hd_model_visitor *v);
int hd_model_stepper_expand_timeout(
    hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, hd_model_visitor *v);

/* Is the transition executable in the loaded state, with the choice-th matching message? Also used
 * by the reductions. */
bool hd_model_stepper_enabled(hd_model_stepper *s, int pid, const hd_promela_transition *t, int choice);

/* Is every process in a valid end state? */
bool hd_model_stepper_valid_end(hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape);

#endif
