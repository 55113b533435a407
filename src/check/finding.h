/* Findings: what an execution shows to be wrong. The same thing found in many
 * executions is one finding: its key is the same. */
#ifndef HD_CHECK_FINDING_H
#define HD_CHECK_FINDING_H

#include "event/plan.h"
#include "event/trace.h"

typedef enum hd_finding_kind {
#define FINDING(name, word) HD_FINDING_##name,
#include "check/findings.def"
#undef FINDING
    HD_FINDING_KINDS
} hd_finding_kind;

typedef struct hd_finding {
    hd_finding_kind kind;
    uint64_t key;
    char message[512];
    /* Log entries that it is about (the two accesses of a race); ~0: none. */
    uint32_t entries[2];
    uint32_t thread;
    uint64_t stuck; /* threads that can never go on, as bits */
} hd_finding;

const char *hd_finding_word(hd_finding_kind kind);

/* Calls `found` for everything wrong in the execution. `trace` is the same
 * execution with its order; its new_races are the races to report. */
void hd_check_execution(
    const hd_execution *e, const hd_trace *trace, void (*found)(void *context, const hd_finding *f), void *context);

/* One property per file. */
bool hd_check_outcome(const hd_execution *e, hd_finding *out);
bool hd_check_stuck(const hd_execution *e, hd_finding *out);
bool hd_check_race(const hd_execution *e, const hd_trace *trace, const hd_race *race, hd_finding *out);

/* A place in the source as part of a key: the same in every process. */
uint64_t hd_finding_place(const hd_site *site);

#endif
