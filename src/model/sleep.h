/* Sleep sets for a graph whose edges are sets of receives. A sleeper is a receive
 * that need not be executed by its process next: another edge, from a state
 * before, covers what follows. It wakes up when its process moves. A state that
 * is reached again with fewer sleepers is expanded again, for the sets that have
 * a receive which slept the last time and is awake now.
 */
#ifndef HD_MODEL_SLEEP_H
#define HD_MODEL_SLEEP_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* A receive of one message. While its process stands still, `message` tells what it takes: the sender, whose
 * first message it is, or the content where messages are a bag. */
typedef struct hd_sleeper {
    uint64_t message;
    uint32_t pid, transition;
} hd_sleeper;

typedef hd_vec(hd_sleeper) hd_sleepers;

/* Of one state: who sleeps, and who did when it was expanded last. */
typedef struct hd_sleep {
    hd_sleepers now, expanded;
    bool is_expanded;
} hd_sleep;

typedef hd_vec(hd_sleep) hd_sleeps; /* by state */

bool hd_sleepers_have(const hd_sleepers *s, hd_sleeper r);
void hd_sleepers_copy(hd_sleepers *to, const hd_sleepers *from);

/* A state is reached with these sleepers, for the first time if it has no entry yet. Whether it must be expanded
 * (again). */
bool hd_sleeps_reach(hd_sleeps *all, uint32_t state, const hd_sleepers *with);

/* The state is about to be expanded: its sleepers, and those of the last time that are awake now. False: nothing has
 * woken up since the last time. `first` says that there was none. */
bool hd_sleeps_expand(hd_sleeps *all, uint32_t state, hd_sleepers *asleep, hd_sleepers *woken, bool *first);
void hd_sleeps_fini(hd_sleeps *all);

#endif
