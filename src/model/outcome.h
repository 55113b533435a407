/* What the searches have in common: findings, bounds, and the progress line. */
#ifndef HD_MODEL_OUTCOME_H
#define HD_MODEL_OUTCOME_H

#include "base/clock.h"
#include "model/steps.h"

#include <signal.h>

typedef enum hd_model_finding_kind {
    HD_MODEL_FINDING_DEADLOCK,
    HD_MODEL_FINDING_ASSERTION,
    HD_MODEL_FINDING_INVARIANT,
    HD_MODEL_FINDING_FAULT,
    HD_MODEL_FINDING_UNRECEIVED, /* everything ended, but messages are left */
    HD_MODEL_FINDING_CLAIM, /* a claim is violated by a finite path */
    HD_MODEL_FINDING_ACCEPTANCE_CYCLE,
    HD_MODEL_FINDING_NON_PROGRESS_CYCLE,
} hd_model_finding_kind;

enum { HD_MODEL_FINDING_KINDS = HD_MODEL_FINDING_NON_PROGRESS_CYCLE + 1 };

typedef struct hd_model_finding {
    hd_model_finding_kind kind;
    hd_model_fault fault;
    int line;
    uint32_t state; /* the state itself, or where the moves start */
    hd_model_move *moves; /* from `state` to the finding */
    size_t move_count;
} hd_model_finding;

typedef hd_vec(hd_model_finding) hd_model_findings;

/* Counts a finding, and stores it with a copy of its moves (may be NULL) if it is among the first
 * `most` of its kind; of assertions and faults, the first per source position. */
void hd_model_findings_add(
    hd_model_findings *list, uint64_t *counts, size_t most, hd_model_finding f, const hd_model_moves *moves);
void hd_model_findings_clear(hd_model_findings *list);

/* The first finding of the same kind (for assertions and faults: at the same source position), or NULL. */
const hd_model_finding *hd_model_findings_like(const hd_model_findings *list, const hd_model_finding *f);

typedef enum hd_model_bound {
    HD_MODEL_BOUND_NONE,
    HD_MODEL_BOUND_STATES,
    HD_MODEL_BOUND_MEMORY,
    HD_MODEL_BOUND_INTERRUPT,
    HD_MODEL_BOUND_ROOM, /* the store cannot number more states */
    HD_MODEL_BOUND_PROCESSES, /* more than weak fairness has marks for */
    HD_MODEL_BOUND_FOUND, /* everything that was wanted is found */
} hd_model_bound;

const char *hd_model_bound_text(hd_model_bound b);

typedef struct hd_model_limits {
    uint64_t max_states, memory; /* 0: none */
    const volatile sig_atomic_t *interrupted; /* may be NULL */
    bool progress; /* show progress on stderr */
    int jobs;
    size_t most_findings; /* stored per kind */
    bool empty_channels; /* an end at which messages are left is a deadlock (the paper's definitions 1 and 2) */
} hd_model_limits;

/* The bound that a search with this many states and bytes has reached. */
hd_model_bound hd_model_limits_reached(const hd_model_limits *l, uint64_t states, uint64_t bytes);

typedef struct hd_model_progress {
    double started, shown; /* 0: never */
} hd_model_progress;

/* Shows the line, at most once a second, if the limits ask for one; removes it. */
void hd_model_progress_show(hd_model_progress *p, const hd_model_limits *l, uint64_t states, uint64_t bytes);
void hd_model_progress_end(const hd_model_progress *p);

/* No process can move in this state: is that a finding, and of which kind? */
bool hd_model_end_is_finding(hd_model_stepper *s, uint8_t *bytes, const hd_model_shape *shape, const hd_model_limits *l,
    hd_model_finding_kind *kind);

#endif
