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
    /* The log entries to show: the two accesses of a race or of a violation of the lock discipline, or the last
     * operation of the thread that failed. ~0: none. */
    uint32_t entries[2];
    uint32_t thread; /* its slot */
    hd_thread_set stuck; /* of a deadlock: the blocked threads */
    uint64_t variable; /* of two accesses: the address of the first byte that both use */
    bool eraser; /* of a variable that no lock protects: with the discipline of Eraser (check/lockset.h) */
    bool claimed; /* of a data race: an access is in a function that is annotated as atomic, which is false */
    bool suspected; /* … only if another execution protects the variable by other locks */
    uint64_t elsewhere; /* … such a lock; 0: not known */
    char places[2][96]; /* of two accesses: the source positions of both, as text */
} hd_finding;

const char *hd_finding_word(hd_finding_kind kind);

/* Is it a bug of the program, and not a limit of heddle? */
static inline bool hd_finding_is_bug(const hd_finding *f)
{
    return f->kind != HD_FINDING_MODEL_LIMIT;
}

/* Is it about two accesses to one variable: a data race, memory that no lock protects, or a false annotation? */
static inline bool hd_finding_has_accesses(const hd_finding *f)
{
    bool may = f->kind == HD_FINDING_LOCK_DISCIPLINE || f->kind == HD_FINDING_ANNOTATION;
    return f->kind == HD_FINDING_DATA_RACE || (may && f->entries[1] != ~0u);
}

#endif
