#include "explore/turns.h"

/* AHEAD: work of the first before it is the second's turn, enough for most programs. SLICE: work of one explorer in a
 * row, so that its data stays in the cache. SHARE: work of the second for one unit of the first, unless that covered
 * several targets. */
enum { AHEAD = 30000, SLICE = 50000, SHARE = 8 };

/* What an execution costs beside its operations: the reset of memory, or a process of its own. */
enum { RESET = 32, PROCESS = 10000 };

struct hd_turns {
    hd_memory *memory;
    hd_explore_config config;
    const hd_explorer *explorers[2]; /* the second may be NULL */
    void *selves[2]; /* NULL: not open */
    uint32_t turn; /* the explorer of the last plan */
    bool gave_up; /* the first explorer has given up */
    int64_t lead; /* what the second has to do for the work of the first, minus its work */
    uint64_t saved; /* executions that further targets have saved, and that have not been taken into account */
    uint64_t before; /* work of the explorer before it made the last plan */
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
    t->lead = SLICE - (int64_t)SHARE * AHEAD;
    t->saved = 0;
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
    if (t->lead > SLICE)
        t->turn = 1;
    else if (t->lead < -SLICE)
        t->turn = 0;
    open_one(t, t->turn);
}

static uint64_t explorers_work(const hd_turns *t)
{
    const hd_explorer *x = hd_turns_explorer(t);
    return x->work ? x->work(hd_turns_self(t)) : 0;
}

bool hd_turns_next(hd_turns *t, hd_plan *plan)
{
    if (takes_turns(t))
        choose(t);
    t->before = explorers_work(t);
    return hd_turns_explorer(t)->next(hd_turns_self(t), plan);
}

/* Each further target that an execution of the first covers saves an execution: the work of one of its executions then
 * counts only once. */
static void count_first(hd_turns *t, uint64_t work, uint32_t beside)
{
    t->saved += beside;
    t->lead += (int64_t)(t->saved ? work : SHARE * work);
    t->saved -= t->saved > 0;
}

bool hd_turns_learn(hd_turns *t, const hd_execution *e, bool forked)
{
    const hd_explorer *x = hd_turns_explorer(t);
    uint32_t beside = x->beside ? x->beside(hd_turns_self(t)) : 0;
    if (!x->learn(hd_turns_self(t), e))
        return false;
    uint64_t work = e->log_count + (forked ? PROCESS : RESET) + explorers_work(t) - t->before;
    if (t->turn)
        t->lead -= (int64_t)work;
    else
        count_first(t, work, beside);
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
