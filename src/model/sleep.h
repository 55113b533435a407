/* Sleep sets for a graph whose edges are sets of receives. A sleeper is a receive that its process
 * need not execute next, because another edge from an earlier state covers what follows. It wakes
 * up when its process moves. A state that is reached again with fewer sleepers is expanded again,
 * for the sets with a receive that slept the last time and is awake now. */
#ifndef HD_MODEL_SLEEP_H
#define HD_MODEL_SLEEP_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* A receive of one message. While its process stands still, `message` identifies what it takes: the
 * sender, whose first message it is, or the content where messages are a bag. */
typedef struct hd_model_sleeper {
    uint64_t message;
    uint32_t pid, transition;
} hd_model_sleeper;

typedef hd_vec(hd_model_sleeper) hd_model_sleepers;

/* The sleep sets of all states: now, and when they were last expanded. */
typedef struct hd_model_sleeps hd_model_sleeps;

hd_model_sleeps *hd_model_sleeps_open(void);
void hd_model_sleeps_close(hd_model_sleeps *all);

bool hd_model_sleepers_have(const hd_model_sleepers *s, hd_model_sleeper r);

/* Records that a state is reached with these sleepers (for the first time if it has no entry); its
 * sleep set becomes the intersection. Returns whether it must be expanded (again). */
bool hd_model_sleeps_reach(hd_model_sleeps *all, uint32_t state, const hd_model_sleepers *with);

/* Before an expansion: returns the sleepers, and those of the last expansion that are awake now.
 * False: nothing has woken up since. `first`: there was no expansion before. */
bool hd_model_sleeps_expand(
    hd_model_sleeps *all, uint32_t state, hd_model_sleepers *asleep, hd_model_sleepers *woken, bool *first);

/* Checks that what sleeps in a state slept at its last expansion, too: a receive never falls asleep after
 * that, so a state is expanded again for all that has woken up. */
bool hd_model_sleeps_is_valid(const hd_model_sleeps *all);

#endif
