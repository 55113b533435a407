#include "explore/turns.h"

#include <string.h>

/* AHEAD: work of the first before it is the second's turn, enough for most programs. SLICE: work of one explorer in a
 * row, so that its data stays in the cache. SHARE: work of the second for one unit of the first, unless that covered
 * several targets. */
enum { AHEAD = 30000, SLICE = 50000, SHARE = 8 };

/* What an execution costs beside its operations: the reset of memory, or a process of its own. */
enum { RESET = 32, PROCESS = 10000 };

/* BEFORE_HUNT: work before the first hunt. PART: hunting is one part of this many. */
enum { BEFORE_HUNT = HD_WORK_A_SECOND / 10, PART = 10 };

static const hd_explorer *const hunters[] = { &hd_explorer_pct, &hd_explorer_pos, &hd_explorer_surw,
    &hd_explorer_preempt };

/* The two explorers come first. */
enum { EXPLORERS = HD_TURNS_EXPLORERS, HUNTERS = sizeof hunters / sizeof *hunters, MEMBERS = HD_TURNS_MEMBERS };
_Static_assert(MEMBERS == EXPLORERS + HUNTERS, "every hunter is a member");

struct hd_turns {
    hd_memory *memory;
    hd_explore_config config;
    const hd_explorer *explorers[MEMBERS]; /* the second may be NULL */
    void *selves[MEMBERS]; /* NULL: not open */
    uint64_t work[MEMBERS];
    bool finished[MEMBERS]; /* hunters */
    bool composed[MEMBERS]; /* has it composed steps? */
    bool single; /* steps are not composed, whatever the configuration says */
    uint32_t turn; /* the explorer of the last plan */
    uint32_t exploring; /* which of the two explorers is or was the last */
    bool gave_up; /* the first explorer has given up */
    int64_t lead; /* what the second has to do for the work of the first, minus its work */
    uint64_t saved; /* executions that further targets have saved, and that have not been taken into account */
    uint64_t before; /* work of the explorer before it made the last plan */
    bool hunts;
    uint64_t next_hunt; /* begins after so much exploring */
    uint64_t goal; /* hunting goes on until it has taken so much work */
};

static void open_one(hd_turns *t, uint32_t which)
{
    if (t->selves[which])
        return;
    hd_explore_config config = t->config;
    config.compose &= !t->single;
    t->selves[which] = t->explorers[which]->open(&config, t->memory);
    t->composed[which] = false;
}

static void close_one(hd_turns *t, uint32_t which)
{
    if (t->selves[which])
        t->explorers[which]->close(t->selves[which]);
    t->selves[which] = NULL;
}

static void start(hd_turns *t)
{
    memset(t->work, 0, sizeof t->work);
    memset(t->finished, 0, sizeof t->finished);
    t->turn = t->exploring = t->gave_up;
    t->next_hunt = BEFORE_HUNT;
    t->goal = 0;
    t->lead = SLICE - (int64_t)SHARE * AHEAD;
    t->saved = 0;
    open_one(t, t->turn);
}

static void set_explorers(hd_turns *t, const hd_explorer *first, const hd_explorer *second)
{
    t->explorers[0] = first;
    t->explorers[1] = second;
    for (uint32_t i = 0; i < HUNTERS; i++)
        t->explorers[EXPLORERS + i] = hunters[i];
}

hd_turns *hd_turns_open(
    const hd_explorer *first, const hd_explorer *second, bool hunts, const hd_explore_config *config, hd_memory *memory)
{
    hd_turns *t = hd_alloc(memory, sizeof *t);
    *t = (hd_turns) { .memory = memory, .config = *config, .hunts = hunts };
    set_explorers(t, first, second);
    start(t);
    return t;
}

static void close_all(hd_turns *t)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        close_one(t, i);
}

void hd_turns_close(hd_turns *t)
{
    close_all(t);
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
    close_all(t);
    start(t);
}

void hd_turns_attach(hd_turns *t, const hd_explorer *first, const hd_explorer *second, const hd_explore_config *config)
{
    t->config = *config;
    set_explorers(t, first, second);
    for (uint32_t i = 0; i < MEMBERS; i++)
        if (hd_turns_path(t, i))
            hd_path_attach(hd_turns_path(t, i), &config->solver);
}

/* --- turns ------------------------------------------------------------------------------------ */

static bool takes_turns(const hd_turns *t)
{
    return t->explorers[1] && !t->gave_up;
}

static void choose_explorer(hd_turns *t)
{
    if (takes_turns(t) && t->lead > SLICE)
        t->exploring = 1;
    else if (takes_turns(t) && t->lead < -SLICE)
        t->exploring = 0;
    t->turn = t->exploring;
}

/* The hunter with the least work; 0: all have finished. */
static uint32_t next_hunter(const hd_turns *t)
{
    uint32_t best = 0;
    for (uint32_t i = EXPLORERS; i < MEMBERS; i++)
        if (!t->finished[i] && (!best || t->work[i] < t->work[best]))
            best = i;
    return best;
}

static bool is_hunt(hd_turns *t)
{
    uint64_t explored = t->work[0] + t->work[1], hunted = 0;
    for (uint32_t i = EXPLORERS; i < MEMBERS; i++)
        hunted += t->work[i];
    if (explored >= t->next_hunt) {
        t->next_hunt = 2 * explored;
        t->goal = explored / (PART - 1);
    }
    return t->hunts && hunted < t->goal;
}

static void choose(hd_turns *t)
{
    uint32_t hunter = is_hunt(t) ? next_hunter(t) : 0;
    if (hunter)
        t->turn = hunter;
    else
        choose_explorer(t);
    open_one(t, t->turn);
}

bool hd_turns_hunts(const hd_turns *t)
{
    return t->turn >= EXPLORERS;
}

static uint64_t explorers_work(const hd_turns *t)
{
    const hd_explorer *x = hd_turns_explorer(t);
    return x->work ? x->work(hd_turns_self(t)) : 0;
}

bool hd_turns_next(hd_turns *t, hd_plan *plan)
{
    for (;;) {
        choose(t);
        t->before = explorers_work(t);
        if (hd_turns_explorer(t)->next(hd_turns_self(t), plan)) {
            plan->composes &= !t->single;
            return true;
        }
        if (!hd_turns_hunts(t))
            return false;
        t->finished[t->turn] = true;
    }
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
    t->work[t->turn] += work;
    t->composed[t->turn] |= e->outcome->composed;
    t->single |= t->turn == 1 && !t->composed[1];
    if (t->turn == 0)
        count_first(t, work, beside);
    else if (t->turn == 1)
        t->lead -= (int64_t)work;
    return true;
}

bool hd_turns_give_up(hd_turns *t)
{
    if (!takes_turns(t))
        return false;
    t->gave_up = true;
    close_one(t, 0);
    t->turn = t->exploring = 1;
    open_one(t, 1);
    return true;
}

bool hd_turns_stop_composing(hd_turns *t)
{
    bool any = false;
    t->single = true;
    for (uint32_t i = 0; i < EXPLORERS; i++)
        if (t->composed[i]) {
            close_one(t, i);
            any = true;
        }
    open_one(t, t->turn);
    return any;
}

bool hd_turns_may_compose(const hd_turns *t)
{
    return !t->single;
}

bool hd_turns_composes(const hd_turns *t)
{
    return t->composed[t->turn];
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

hd_bound_reached hd_turns_reached(const hd_turns *t)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        if (t->selves[i] && t->explorers[i]->reached)
            return t->explorers[i]->reached(t->selves[i]);
    return (hd_bound_reached) { 0 };
}

double hd_turns_progress(const hd_turns *t)
{
    double most = -1;
    for (uint32_t i = 0; i < EXPLORERS; i++) {
        double progress = t->selves[i] ? t->explorers[i]->progress(t->selves[i]) : -1;
        most = progress > most ? progress : most;
    }
    return most;
}

const char *hd_turns_draw(const hd_turns *t, uint32_t most, size_t *size)
{
    for (uint32_t i = 0; i < EXPLORERS; i++)
        if (t->selves[i] && t->explorers[i]->draw)
            return t->explorers[i]->draw(t->selves[i], most, size);
    return NULL;
}

hd_persistent_sizes hd_turns_sizes(const hd_turns *t)
{
    return t->explorers[0]->sizes ? t->explorers[0]->sizes(t->selves[0]) : (hd_persistent_sizes) { 0 };
}

hd_kept hd_turns_kept(const hd_turns *t)
{
    hd_kept all = { 0 };
    for (uint32_t i = 0; i < EXPLORERS; i++) {
        hd_kept kept = t->selves[i] && t->explorers[i]->kept ? t->explorers[i]->kept(t->selves[i]) : (hd_kept) { 0 };
        all.events += kept.events;
        all.bytes += kept.bytes;
    }
    return all;
}
