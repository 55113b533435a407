/* A model as a system of multi-port EFSMs: a fixed set of processes that share no variables, and
 * channels ("ports") with one receiver each. Only such systems can be reduced by BSRA or by partial
 * orders; anything else is refused with the reason and the line.
 *
 * Two exceptions to "share no variables": a shared global may be used in statements of its own (`x
 * = 1`, `x > 2`). Such transitions are *visible*, and so are assertions; the reductions execute
 * them one at a time, in every order. Sends and receives may occur inside atomic (model/atomic.h). */
#ifndef HD_MODEL_SYSTEM_H
#define HD_MODEL_SYSTEM_H

#include "model/steps.h"

enum { HD_MODEL_MOST_PORTS = 64, HD_MODEL_MOST_SENDERS = 64 };

typedef uint64_t hd_model_ports; /* bits: ports, from channel 1 as bit 0 */

/* What a step from a control state may use, be it one transition or an atomic sequence. */
typedef struct hd_model_step_uses {
    hd_model_ports sends, receives, later_receives; /* later: after the first transition of the step */
    bool visible, ends;
} hd_model_step_uses;

/* Plain data: what the analysis knows about the model. */
typedef struct hd_model_system {
    const hd_promela_program *program;
    hd_model_shapes *shapes;
    const hd_model_shape *shape;
    uint8_t *start; /* the state after init has started everything */
    hd_model_moves prologue; /* init's moves that lead there */
    int processes, channels;
    hd_model_ports **sends; /* per process and control state: ports it may still send to from there */
    hd_model_ports *channel_of[HD_MODEL_MOST_PROCESSES]; /* per process and transition: the ports it may use */
    hd_model_step_uses *steps[HD_MODEL_MOST_PROCESSES]; /* per process and control state */
    bool *
        visible[HD_MODEL_MOST_PROCESSES + 1]; /* per proctype and transition: it asserts or touches a shared variable */
    bool *shares[HD_MODEL_MOST_PROCESSES + 1]; /* it touches a shared variable */
    bool has_visible;
    uint64_t senders[HD_MODEL_MOST_PORTS]; /* bits: processes that may send there */
    int receiver[HD_MODEL_MOST_PORTS]; /* -1: none */
    hd_model_ports racy; /* ports with several senders */
} hd_model_system;

/* `scheme` decides how messages are kept in states of this system. */
bool hd_model_system_open(hd_model_system *s, const hd_promela_program *program, hd_model_shapes *shapes,
    hd_model_scheme scheme, hd_error *error);
void hd_model_system_close(hd_model_system *s);

/* A text that is equal for two states iff the same processes are in the same local states (ended
 * processes aside) and every port holds the same messages, in any order. */
char *hd_model_state_signature(const hd_model_machine *m, hd_arena *arena);

#endif
