#include "explore/turns.h"

/* AHEAD: enough for most programs; SLICE: executions of the first in a row, so that its data stays in the cache; EACH:
 * of the second for one of the first. */
enum { AHEAD = 256, SLICE = 64, EACH = 32 };

struct hd_turns {
    hd_memory *memory;
    hd_explore_config config;
    const hd_explorer *explorers[2]; /* the second may be NULL */
    void *selves[2]; /* NULL: not open */
    uint32_t turn; /* the explorer of the last plan */
    bool gave_up; /* the first explorer has given up */
    int64_t ahead; /* executions of the first until it is the second's turn */
    uint32_t others; /* executions of the second until it is the first's turn */
};

static void open_one(hd_turns *t, uint32_t which)
{
    if (!t->selves[which])
        t->selves[which] = t->explorers[which]->open(&t->config, t->memory);
}

static void close_one(hd_turns *t, uint32_t which)
{
    if (t->selves[which])
        t->explorers[which]->close(t->selves[which]);
    t->selves[which] = NULL;
}

static void start(hd_turns *t)
{
    t->turn = t->gave_up;
    t->ahead = AHEAD;
    t->others = 0;
    open_one(t, t->turn);
}

hd_turns *hd_turns_open(
    const hd_explorer *first, const hd_explorer *second, const hd_explore_config *config, hd_memory *memory)
{
    hd_turns *t = hd_alloc(memory, sizeof *t);
    *t = (hd_turns) { .memory = memory, .config = *config, .explorers = { first, second } };
    start(t);
    return t;
}

static void close_both(hd_turns *t)
{
    close_one(t, 0);
    close_one(t, 1);
}

void hd_turns_close(hd_turns *t)
{
    close_both(t);
    hd_release(t->memory, t, sizeof *t);
}

const hd_explorer *hd_turns_explorer(const hd_turns *t)
{
    return t->explorers[t->turn];
}

void *hd_turns_self(const hd_turns *t)
{
    return t->selves[t->turn];
}

void hd_turns_start_over(hd_turns *t)
{
    close_both(t);
    start(t);
}

void hd_turns_attach(hd_turns *t, const hd_explorer *first, const hd_explorer *second, const hd_explore_config *config)
{
    t->config = *config;
    t->explorers[0] = first;
    t->explorers[1] = second;
    for (uint32_t i = 0; i < 2; i++)
        if (hd_turns_path(t, i))
            hd_path_attach(hd_turns_path(t, i), &config->solver);
}

/* --- turns ------------------------------------------------------------------------------------ */

static bool takes_turns(const hd_turns *t)
{
    return t->explorers[1] && !t->gave_up;
}

static void choose(hd_turns *t)
{
    if (t->turn == 0 && t->ahead <= 0) {
        t->turn = 1;
        t->others = SLICE * EACH;
        open_one(t, 1);
    } else if (t->turn == 1 && !t->others) {
        t->turn = 0;
        t->ahead += SLICE;
    }
}

/* Each further target that the plan covers saves the first explorer an execution: that one is added to its turn. */
static void count(hd_turns *t)
{
    const hd_explorer *x = hd_turns_explorer(t);
    if (t->turn)
        t->others--;
    else
        t->ahead += (x->beside ? (int64_t)x->beside(hd_turns_self(t)) : 0) - 1;
}

bool hd_turns_next(hd_turns *t, hd_plan *plan)
{
    if (takes_turns(t))
        choose(t);
    if (!hd_turns_explorer(t)->next(hd_turns_self(t), plan))
        return false;
    if (takes_turns(t))
        count(t);
    return true;
}

bool hd_turns_give_up(hd_turns *t)
{
    if (!takes_turns(t))
        return false;
    t->gave_up = true;
    close_one(t, 0);
    t->turn = 1;
    open_one(t, 1);
    return true;
}

/* --- both together -------------------------------------------------------------------------------- */

const char *hd_turns_unfinished(const hd_turns *t)
{
    const hd_explorer *x = hd_turns_explorer(t);
    return x->unfinished ? x->unfinished(hd_turns_self(t)) : NULL;
}

hd_path *hd_turns_path(const hd_turns *t, uint32_t which)
{
    const hd_explorer *x = t->explorers[which];
    return t->selves[which] && x->path ? x->path(t->selves[which]) : NULL;
}

hd_path *hd_turns_current_path(const hd_turns *t)
{
    return hd_turns_path(t, t->turn);
}

double hd_turns_progress(const hd_turns *t)
{
    double most = -1;
    for (uint32_t i = 0; i < 2; i++) {
        double progress = t->selves[i] ? t->explorers[i]->progress(t->selves[i]) : -1;
        most = progress > most ? progress : most;
    }
    return most;
}

hd_kept hd_turns_kept(const hd_turns *t)
{
    hd_kept all = { 0 };
    for (uint32_t i = 0; i < 2; i++) {
        hd_kept kept = t->selves[i] && t->explorers[i]->kept ? t->explorers[i]->kept(t->selves[i]) : (hd_kept) { 0 };
        all.events += kept.events;
        all.bytes += kept.bytes;
    }
    return all;
}
