/* Findings: what an execution shows to be wrong. Findings of different executions are the same if
 * their keys are equal. A key is made of the kind and of source positions (the signal or exit
 * status where those say more), never of addresses, thread numbers or the schedule. */
#ifndef HD_CHECK_FINDING_H
#define HD_CHECK_FINDING_H

#include "event/thread_set.h"

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
    uint32_t thread; /* its slot */
    hd_thread_set stuck; /* of a deadlock: the blocked threads */
    uint64_t variable; /* of a data race: the address of the first byte that both use */
    char places[2][96]; /* of a data race: the source positions of both, as text */
} hd_finding;

const char *hd_finding_word(hd_finding_kind kind);

/* Is it a bug of the program, and not a limit of heddle? */
static inline bool hd_finding_is_bug(const hd_finding *f)
{
    return f->kind != HD_FINDING_MODEL_LIMIT;
}

#endif
