/* Who explores: one explorer, or two that take turns.
 *
 * unfold may need exponentially fewer executions than dpor, but each costs
 * several of dpor's, and which of them is done first cannot be told beforehand.
 * So the first explorer goes ahead by itself a little; then it has one execution
 * for every so many of the second's, and another for each thing that one of its
 * executions is for beside the first. Both together take little longer than the
 * second alone; and where the first saves much, it ends it all.
 *
 * Each explorer learns from its own executions only, so each is what it would
 * be by itself; when one has nothing left, everything has been explored. Turns
 * depend on nothing but the executions: a run is the same every time. */
#ifndef HD_EXPLORE_TURNS_H
#define HD_EXPLORE_TURNS_H

#include "explore/explorer.h"

typedef struct hd_turns {
    hd_memory *memory;
    hd_explore_config config;
    const hd_explorer *explorers[2]; /* the second may be NULL */
    void *selves[2]; /* NULL: not open */
    uint32_t turn; /* whose the last plan is */
    bool gave_up; /* the first explorer */
    int64_t ahead; /* executions that the first may have before it is the other's turn */
    uint32_t others; /* of the second, until it is the first's turn again */
} hd_turns;

void hd_turns_open(hd_turns *t, const hd_explorer *first, const hd_explorer *second, const hd_explore_config *config,
    hd_memory *memory);
void hd_turns_close(hd_turns *t);

/* All that was explored is void. */
void hd_turns_start_over(hd_turns *t);

/* In another process: these are its explorers. */
void hd_turns_attach(hd_turns *t, const hd_explorer *first, const hd_explorer *second, const hd_explore_config *config);

/* The next plan and with it, whose turn it is. False: the one whose turn it is has nothing left. */
bool hd_turns_next(hd_turns *t, hd_plan *plan);

/* The first explorer cannot go on: what it keeps is thrown away, and the second goes on
 * by itself. False: there is no other. */
bool hd_turns_give_up(hd_turns *t);

/* Whose turn it is. */
static inline const hd_explorer *hd_turns_explorer(const hd_turns *t)
{
    return t->explorers[t->turn];
}

static inline void *hd_turns_self(const hd_turns *t)
{
    return t->selves[t->turn];
}

/* What has been left out when nothing is left; NULL: nothing. */
const char *hd_turns_unfinished(const hd_turns *t);

double hd_turns_progress(const hd_turns *t);
hd_kept hd_turns_kept(const hd_turns *t);

/* The branches on inputs of the last execution of one of them; NULL: none are looked at. */
hd_path *hd_turns_path(const hd_turns *t, uint32_t which);

#endif
