/* Findings: what an execution shows to be wrong. Findings of different executions are the same if
 * their keys are equal. A key is made of the kind and of source positions (the signal or exit
 * status where those say more), never of addresses, thread numbers or the schedule. */
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
    /* The log entries to show: the two accesses of a race, or the last operation of the thread that
     * failed. ~0: none. */
    uint32_t entries[2];
    uint32_t thread;
    uint64_t stuck; /* of a deadlock: the blocked threads, as bits */
} hd_finding;

const char *hd_finding_word(hd_finding_kind kind);

/* Is it a bug of the program, and not a limit of heddle? */
static inline bool hd_finding_is_bug(const hd_finding *f)
{
    return f->kind != HD_FINDING_MODEL_LIMIT;
}

/* Calls `found` for every finding of the execution. `trace` is the same execution with its
 * happens-before order; its new_races are the races to report. */
void hd_check_execution(
    const hd_execution *e, const hd_trace *trace, void (*found)(void *context, const hd_finding *f), void *context);

/* One property per file. */
bool hd_check_outcome(const hd_execution *e, hd_finding *out);
bool hd_check_deadlock(const hd_execution *e, hd_finding *out);
bool hd_check_race(const hd_execution *e, const hd_trace *trace, const hd_race *race, hd_finding *out);

/* A source position as part of a key: the same in every process, because it hashes the file's name
 * and not its address. */
uint64_t hd_finding_place(const hd_site *site);

#endif
