/* Control flow. `hd_promela_hunt` follows gotos, joins and break targets from an element to the next
 * one that is a control state; it stops early where going on would leave an atomic sequence,
 * because there the process gives up control. `hd_promela_flow` lists, for every control state of a
 * proctype, the steps that leave it: options of nested choices are flattened into one list, escapes
 * of `unless` come first, and a step may run several merged elements. */
#ifndef HD_PROMELA_FLOW_H
#define HD_PROMELA_FLOW_H

#include "promela/ast.h"

/* Plain data, as the next. */
typedef struct hd_promela_step {
    hd_promela_element *element; /* runs first; merged elements follow */
    hd_promela_element **merged;
    int merged_count;
    int target; /* control state afterwards, 0: the process is gone */
    bool atomic; /* the process keeps control afterwards */
    int escape; /* 0, or the control state that an unless escapes to */
    struct hd_promela_step *next;
} hd_promela_step;

typedef struct hd_promela_flow {
    hd_promela_step **steps; /* per control state */
    hd_promela_element **elements; /* per number */
    bool *skippable; /* not counted by coverage */
    int *stands_for; /* for a choice that is never a state itself: a state after it, or 0 */
    bool *end, *accept, *progress; /* marked by labels */
    int count, start;
} hd_promela_flow;

bool hd_promela_has_label(const hd_promela_proctype *t, const hd_promela_element *e, const char *prefix);
hd_promela_element *hd_promela_goto_target(const hd_promela_proctype *t, const hd_promela_node *n);
hd_promela_element *hd_promela_hunt(const hd_promela_proctype *t, hd_promela_element *e, unsigned status, int stop_at);
hd_promela_element *hd_promela_hunt_start(hd_promela_element *e);

/* Checks that every goto has a label, and that no goto leads to itself. */
bool hd_promela_resolve_gotos(hd_promela_model *m, hd_error *error);

/* To be called after hd_promela_analyse. The result lives in the model's arena. */
hd_promela_flow *hd_promela_flow_of(hd_promela_model *m, hd_promela_proctype *t);

/* analyse.c: finds local variables that are dead after a step (they are reset to 0, so that states
 * do not differ in them) and statements that are merged into one step: those that use only the
 * process itself, and those inside atomic. */
void hd_promela_analyse(hd_promela_model *m);

/* Does the expression start a process? */
bool hd_promela_has_run(const hd_promela_node *n);

#endif
