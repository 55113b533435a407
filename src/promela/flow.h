/* Control flow. `hd_pml_hunt` follows gotos, joins and break targets from an element to the next
 * one that is a control state; it stops early where going on would leave an atomic sequence,
 * because there the process gives up control. `hd_pml_flow` lists, for every control state of a
 * proctype, the steps that leave it: options of nested choices are flattened into one list, escapes
 * of `unless` come first, and a step may run several merged elements. */
#ifndef HD_PROMELA_FLOW_H
#define HD_PROMELA_FLOW_H

#include "promela/ast.h"

typedef struct hd_pml_step {
    hd_pml_element *element; /* runs first; merged elements follow */
    hd_pml_element **merged;
    int merged_count;
    int target; /* control state afterwards, 0: the process is gone */
    bool atomic; /* the process keeps control afterwards */
    int escape; /* 0, or the control state that an unless escapes to */
    struct hd_pml_step *next;
} hd_pml_step;

typedef struct hd_pml_flow {
    hd_pml_step **steps; /* per control state */
    hd_pml_element **elements; /* per number */
    bool *skippable; /* not counted by coverage */
    int *stands_for; /* for a choice that is never a state itself: a state after it, or 0 */
    bool *end, *accept, *progress; /* marked by labels */
    int count, start;
} hd_pml_flow;

bool hd_pml_has_label(const hd_pml_proctype *t, const hd_pml_element *e, const char *prefix);
hd_pml_element *hd_pml_goto_target(const hd_pml_proctype *t, const hd_pml_node *n);
hd_pml_element *hd_pml_hunt(const hd_pml_proctype *t, hd_pml_element *e, unsigned status, int stop_at);
hd_pml_element *hd_pml_hunt_start(hd_pml_element *e);

/* Checks that every goto has a label, and that no goto leads to itself. */
bool hd_pml_resolve_gotos(hd_pml_model *m, hd_error *error);

/* To be called after hd_pml_analyse. The result lives in the model's arena. */
hd_pml_flow *hd_pml_flow_of(hd_pml_model *m, hd_pml_proctype *t);

/* analyse.c: finds local variables that are dead after a step (they are reset to 0, so that states
 * do not differ in them) and statements that are merged into one step: those that use only the
 * process itself, and those inside atomic. */
void hd_pml_analyse(hd_pml_model *m);

/* Does the expression start a process? */
bool hd_pml_has_run(const hd_pml_node *n);

#endif
