/* The lock discipline (docs/algorithms/sss.md): every variable that several threads use is read-only from then on, or
 * there is a lock that each access holds. Based on the lockset algorithm of Eraser (Savage et al. 1997) and its
 * stricter variant MLD' (Stoller 2000).
 *
 * A *variable* is a set of bytes of one cell that all accesses so far have used together. It has a candidate set: the
 * locks that all accesses so far have held, writes exclusively. A violation is an access that leaves no candidate, if
 * several threads have used the variable, one has written it, and one of the accesses is plain: atomic accesses alone
 * need no lock.
 *
 * Which accesses count:
 *   MLD'    all, except those of the thread that allocated the memory while no other thread can know of it
 *           (HD_OP_INITIAL), and those of a thread without any other beside it, which are no operations. Whether an
 *           access counts depends on its thread alone, and a violation on the set of accesses, not on their order.
 *           Accesses outside of the heap that initialise (heddle_init_thread) count as soon as a thread accesses the
 *           variable that does not *know* of them: no operation whose order is part of the trace leads to it. Locks do
 *           not: which thread comes to a lock first differs from execution to execution.
 *   Eraser  those from the first access of a second thread on
 *
 * With the setting `same_lock`, the candidates of a variable outside of heap and stacks are kept from execution to
 * execution (of those that share and write it): in each of them the same lock must protect it. A variable on the heap
 * or on a stack has no identity beyond one execution.
 *
 * Executions of a search share long prefixes. So a log is compared with the last one, and only the entries that differ
 * are undone and walked.
 *
 * Candidates are sets of check/lock_sets.h. */
#ifndef HD_CHECK_LOCKSET_H
#define HD_CHECK_LOCKSET_H

#include "abi/settings.h"
#include "base/memory.h"
#include "check/finding.h"
#include "check/lock_sets.h"
#include "event/plan.h"

typedef struct hd_lockset hd_lockset;

/* NULL if the settings do not ask for the check; the other functions accept that. */
hd_lockset *hd_lockset_open(const hd_settings *settings, hd_memory *memory);
void hd_lockset_close(hd_lockset *l);

/* With `same_lock`: only one execution is known, so every variable that is protected in it is suspected to be protected
 * by other locks in others (hd_finding.suspected). For replays, which know the key of the finding that they look for.
 */
void hd_lockset_suspect(hd_lockset *l);

/* Calls `found` for each variable of the execution that violates the discipline. */
void hd_lockset_check(
    hd_lockset *l, const hd_execution *e, void (*found)(void *context, const hd_finding *f), void *context);

/* How the candidates of the variable that contains a byte of memory developed: for each access to it that counts, up to
 * entry `last` of the log, the locks that the access held (writes: exclusively), and the candidates after it. */
typedef struct hd_lockset_access {
    uint32_t entry;
    hd_lock_set held, candidates;
} hd_lockset_access;

void hd_lockset_history(hd_lockset *l, const hd_op *log, uint32_t last, uint64_t byte,
    void (*each)(void *context, const hd_lockset_access *a), void *context);

/* The locks of a set: addresses of mutexes and the like. */
const uint64_t *hd_lockset_locks(const hd_lockset *l, hd_lock_set set, uint32_t *count);

bool hd_lockset_has(const hd_lockset *l, hd_lock_set set, uint64_t lock);

/* Brings the state up to the first `count` entries of the log: 0 begins a new one, other counts go on from the last. */
void hd_lockset_follow(hd_lockset *l, const hd_op *log, uint32_t count);

/* With `same_lock`: keeps the candidates of this execution, for the states of later ones. */
void hd_lockset_keep(hd_lockset *l, const hd_execution *e);

/* A thread in this state. The step that it performs next begins by taking `lock` (0: it takes none). */
typedef struct hd_lockset_next {
    uint32_t thread;
    uint64_t lock;
    bool exclusive;
} hd_lockset_next;

/* MLDallows of Stoller's section 8 (docs/algorithms/sss.md): may the step access some of the bytes, so that another
 * step may depend on that without a violation of the discipline? */
bool hd_lockset_allows(hd_lockset *l, const hd_lockset_next *n, uint64_t address, uint64_t size, bool writes);

/* The same of bytes that no thread has accessed. */
bool hd_lockset_allows_new(const hd_lockset *l, const hd_lockset_next *n, bool writes);

/* Checks:
 * - sets are sorted and pairwise different;
 * - the variables of a cell have disjoint bytes, and candidates that exist;
 * - a variable is written if its mode is HD_MODE_SHARED_MODIFIED;
 * - changes are in the order of the entries that were walked. */
bool hd_lockset_is_valid(const hd_lockset *l);

#endif
