/* The full reachability graph (algorithm Generate_RG): from the first state,
 * every step of every state, each state once, the newest first. States are
 * counted as SPIN counts them: those inside atomic sequences are not. With
 * several jobs the workers share the store; each has its own stack of states
 * to expand and gives half of it away when another has nothing to do.
 *
 * What a search finds refers to states by number, so the store stays open until
 * the result is closed.
 */
#ifndef HD_MODEL_SEARCH_H
#define HD_MODEL_SEARCH_H

#include "model/memo.h"
#include "model/steps.h"

#include <signal.h>

typedef enum hd_finding_kind {
    HD_FINDING_DEADLOCK,
    HD_FINDING_ASSERTION,
    HD_FINDING_INVARIANT,
    HD_FINDING_FAULT,
    HD_FINDING_UNRECEIVED, /* everything ended, but messages are left */
} hd_finding_kind;

typedef struct hd_finding {
    hd_finding_kind kind;
    hd_fault fault;
    int line;
    uint32_t state; /* where it is, or where the moves start */
    hd_move *moves; /* that lead to it from there */
    size_t move_count;
} hd_finding;

typedef hd_vec(hd_finding) hd_findings;

typedef enum hd_bound {
    HD_BOUND_NONE,
    HD_BOUND_STATES,
    HD_BOUND_MEMORY,
    HD_BOUND_INTERRUPT,
    HD_BOUND_ROOM, /* the store cannot number more states */
} hd_bound;

typedef struct hd_limits {
    uint64_t max_states, memory; /* 0: none */
    const volatile sig_atomic_t *interrupted; /* may be NULL */
    bool progress; /* a line on stderr now and then */
    int jobs;
    size_t most_findings; /* of each kind that are kept */
} hd_limits;

typedef struct hd_search {
    const hd_pml_program *program;
    hd_shapes shapes;
    hd_scheme scheme;
    bool unbounded;
    hd_limits limits;
    hd_store *store;
    uint32_t first;
    uint64_t edges, memo_bytes;
    uint64_t counts[HD_FINDING_UNRECEIVED + 1]; /* findings of each kind, kept or not */
    hd_findings findings;
    hd_bound bound;
    bool *reached[HD_MOST_PROCESSES + 1], *executed[HD_MOST_PROCESSES + 1];
    double seconds;
} hd_search;

void hd_search_open(hd_search *s, const hd_pml_program *program, hd_scheme scheme, const hd_limits *limits);
void hd_search_run(hd_search *s);
void hd_search_close(hd_search *s);

/* The moves from the first state to a finding, in order. */
void hd_search_path(hd_search *s, const hd_finding *f, hd_moves *path);

const char *hd_bound_text(hd_bound b);

/* Are there messages in any channel of the machine's state? */
bool hd_state_has_messages(const hd_machine *m);

double hd_now(void);

#endif
