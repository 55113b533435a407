/* The inside of the lock discipline, for its files:
 *
 *   lockset.c            the variables, and the walk through a log that keeps them up to date
 *   lockset_allows.c     what the discipline allows in a state
 *   lockset_findings.c   violations, within an execution and between executions, and how they came about */
#ifndef HD_CHECK_LOCKSET_INTERNAL_H
#define HD_CHECK_LOCKSET_INTERNAL_H

#include "base/map.h"
#include "base/vec.h"
#include "check/knowledge.h"
#include "check/lockset.h"

/* As in the paper. HD_MODE_EXCLUSIVE: used by one thread. HD_MODE_SHARED: used by several, and not written since it
 * counts. */
typedef enum hd_lockset_mode {
    HD_MODE_VIRGIN,
    HD_MODE_EXCLUSIVE,
    HD_MODE_SHARED,
    HD_MODE_SHARED_MODIFIED
} hd_lockset_mode;

enum { HD_NO_VARIABLE = 0xffffffffu };

typedef struct hd_lockset_variable {
    uint64_t cell;
    uint32_t next; /* another variable of the cell, or HD_NO_VARIABLE */
    uint8_t mask;
    uint8_t mode;
    bool written, plain, told;
    uint16_t first_thread;
    hd_lock_set candidates;
    uint32_t last; /* with same_lock: the entry of its last access that counts */
    struct {
        bool pending; /* accesses have initialised it, and do not count so far */
        bool writes;
        uint16_t thread;
        uint32_t entry; /* of the last of them */
        uint32_t published; /* the thread had published so often before it */
        hd_lock_set held; /* at all of them */
    } initial;
} hd_lockset_variable;

/* A lock that a thread holds. */
typedef struct hd_lockset_hold {
    uint64_t lock;
    uint32_t count; /* read locks may be taken several times */
    bool exclusive;
} hd_lockset_hold;

typedef struct hd_lockset_held {
    hd_vec(hd_lockset_hold) holds;
    hd_lock_set any, exclusive; /* as sets; … */
    bool known; /* … if they are up to date */
} hd_lockset_held;

/* An access after which its variable is not protected. */
typedef struct hd_lockset_violation {
    uint32_t entry;
    hd_lock_set held;
    uint32_t byte; /* of the cell: one of the variable's */
    bool changed; /* it is protected here, but not by the locks of other executions … */
    hd_lock_set before; /* … which were these (none: not known) */
} hd_lockset_violation;

typedef hd_vec(hd_lockset_violation) hd_lockset_violations;

/* What an entry of the log has changed, to be undone. */
typedef struct hd_lockset_change {
    uint32_t entry;
    enum { HD_VARIABLE_CHANGED, HD_VARIABLE_ADDED, HD_LOCK_TAKEN, HD_LOCK_GIVEN } what;
    uint32_t index; /* of the variable; of a lock: its thread */
    union {
        hd_lockset_variable before; /* HD_VARIABLE_CHANGED */
        uint64_t first; /* HD_VARIABLE_ADDED: the first variable of its cell + 1, before */
        hd_lockset_hold lock;
    };
} hd_lockset_change;

struct hd_lockset {
    hd_memory *memory;
    bool eraser, same_lock, suspects;
    hd_vec(hd_op) walked; /* the log whose entries are in the variables, locks and violations */
    hd_vec(hd_lockset_change) changes; /* the oldest first */
    hd_lockset_violations violations;
    hd_vec(hd_lockset_variable) variables;
    hd_map cells; /* the cell → its first variable + 1 */
    hd_lockset_held threads[HD_MAX_THREADS];
    bool initialises; /* an access has initialised memory outside of the heap, so … */
    hd_knowledge knows; /* … this is up to date */
    hd_lock_sets sets;
    hd_map kept; /* with same_lock: a byte → its candidates in all executions so far + 1 */
};

/* Called for each access that counts, after it was entered into the variable; for those that initialise, when they
 * begin to count. */
typedef void hd_lockset_on_update(
    void *context, hd_lockset *l, uint32_t entry, hd_lock_set locks, hd_lockset_variable *v);

/* Goes through the entries that differ from those of the last log; `each` (may be NULL) is called for these. */
void hd_lockset_walk(hd_lockset *l, const hd_op *log, uint32_t count, hd_lockset_on_update *each, void *context);

/* Back to the first `count` entries. */
void hd_lockset_rewind(hd_lockset *l, uint32_t count);

static inline hd_lock_set hd_lockset_meet(hd_lockset *l, hd_lock_set a, hd_lock_set b)
{
    return hd_lock_sets_meet(&l->sets, a, b);
}

#endif
