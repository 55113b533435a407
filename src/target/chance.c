#include "target/chance.h"

#include "event/op.h"
#include "target/policy.h"

#include <string.h>

/* PCT_BASE: above all priorities that change points assign. NOBODY: no thread is intended. UNDRAWN: the first has not
 * been drawn yet. */
enum { PCT_BASE = 1000, NOBODY = -1, UNDRAWN = -2 };

static const hd_op *pending(const hd_target *t, uint32_t thread)
{
    return &t->runtime->threads[thread].pending;
}

/* Drawn when it is first needed; that gives the same distribution as drawing all of them at the start. */
static uint32_t priority_of(hd_target *t, uint32_t thread)
{
    if (!t->priority[thread])
        t->priority[thread] = PCT_BASE + (uint32_t)hd_rng_below(&t->rng, 1u << 30);
    return t->priority[thread];
}

static uint32_t highest(hd_target *t, const hd_target_threads *enabled)
{
    uint32_t best = enabled->threads[0];
    for (uint32_t i = 1; i < enabled->count; i++)
        if (priority_of(t, enabled->threads[i]) > priority_of(t, best))
            best = enabled->threads[i];
    return best;
}

/* --- pct ------------------------------------------------------------------------ */

/* Initial priorities lie above PCT_BASE; the i-th of depth - 1 change points lowers the running thread's priority to i.
 */
static void draw_changes(hd_target *t)
{
    uint32_t limit = sizeof t->change_at / sizeof *t->change_at;
    uint32_t length = t->plan.pct_length ? t->plan.pct_length : 1;
    t->changes = t->plan.pct_depth > 0 ? t->plan.pct_depth - 1 : 0;
    t->changes = t->changes < limit ? t->changes : limit;
    for (uint32_t i = 0; i < t->changes; i++)
        t->change_at[i] = (uint32_t)hd_rng_below(&t->rng, length);
}

static uint32_t pick_pct(hd_target *t, const hd_target_threads *enabled)
{
    for (uint32_t i = 0; i < t->changes; i++)
        if (t->change_at[i] == t->position && t->last_thread >= 0)
            t->priority[t->last_thread] = i + 1;
    if (t->streak >= HD_LONGEST_STREAK)
        t->priority[t->last_thread] = 1; /* a thread that runs alone forever starves the others */
    return highest(t, enabled);
}

/* --- pos ------------------------------------------------------------------------ */

static uint32_t pick_pos(hd_target *t, const hd_target_threads *enabled)
{
    uint32_t best = highest(t, enabled);
    for (uint32_t i = 0; i < *t->runtime->thread_count; i++)
        if (i == best
            || (t->runtime->threads[i].status == HD_THREAD_AT_OP && hd_ops_conflict(pending(t, best), pending(t, i))))
            t->priority[i] = 0;
    return best;
}

/* --- surw ----------------------------------------------------------------------- */

static bool is_interesting(const hd_target *t, uint32_t thread)
{
    return !t->plan.interesting || pending(t, thread)->object == t->plan.interesting;
}

static bool is_held(const hd_target *t, uint32_t thread)
{
    return (int)thread != t->intended && is_interesting(t, thread);
}

/* The thread itself, or its closest ancestor that exists: a thread that does not exist yet is part of its creator. */
static uint32_t bearer(const hd_target *t, uint32_t thread)
{
    while (thread && t->runtime->births && t->runtime->threads[thread].status == HD_THREAD_UNUSED)
        thread = t->runtime->births[thread] >> 16;
    return thread;
}

/* Draws a thread among those whose operations are enabled, or NULL: among all. */
static int draw_weighted(hd_target *t, const hd_target_threads *among)
{
    uint32_t threads = *t->runtime->thread_count;
    uint64_t *borne = t->borne, all = 0;
    memset(borne, 0, (threads > t->plan.weight_count ? threads : t->plan.weight_count) * sizeof *borne);
    for (uint32_t i = 0; i < t->plan.weight_count; i++)
        borne[bearer(t, i)] += t->weights[i];
    uint32_t count = among ? among->count : t->plan.weight_count;
    for (uint32_t i = 0; i < count; i++)
        all += borne[among ? among->threads[i] : i];
    if (!all)
        return NOBODY;
    uint64_t left = hd_rng_below(&t->rng, all);
    for (uint32_t i = 0;; i++) {
        uint32_t thread = among ? among->threads[i] : i;
        if (left < borne[thread])
            return (int)thread;
        left -= borne[thread];
    }
}

static uint32_t any(hd_target *t, const hd_target_threads *among)
{
    return among->threads[hd_rng_below(&t->rng, among->count)];
}

/* All threads are held back: the intended one is blocked or has ended, or the weights were too small. */
static uint32_t pick_held(hd_target *t, const hd_target_threads *enabled)
{
    int drawn = draw_weighted(t, enabled);
    return drawn == NOBODY ? any(t, enabled) : (uint32_t)drawn;
}

static uint32_t pick_surw(hd_target *t, const hd_target_threads *enabled)
{
    hd_target_threads *others = &t->free;
    others->count = 0;
    /* Not before the run has begun: until then the threads are those of the run before. */
    if (t->intended == UNDRAWN)
        t->intended = draw_weighted(t, NULL);
    for (uint32_t i = 0; i < enabled->count; i++)
        if (!is_held(t, enabled->threads[i]))
            others->threads[others->count++] = enabled->threads[i];
    uint32_t best = others->count ? any(t, others) : pick_held(t, enabled);
    if (!is_interesting(t, best))
        return best;
    if (best < t->plan.weight_count && t->weights[best])
        t->weights[best]--;
    t->intended = draw_weighted(t, NULL);
    return best;
}

/* --- all ------------------------------------------------------------------------ */

bool hd_chance_has(hd_tail tail)
{
    return tail >= HD_TAIL_RANDOM;
}

void hd_chance_start(hd_target *t)
{
    hd_rng_seed(&t->rng, t->plan.seed);
    if (t->plan.tail == HD_TAIL_PCT || t->plan.tail == HD_TAIL_POS)
        memset(t->priority, 0, sizeof t->priority);
    if (t->plan.tail == HD_TAIL_PCT)
        draw_changes(t);
    if (t->plan.tail == HD_TAIL_SURW) {
        for (uint32_t i = 0; i < t->plan.weight_count; i++)
            t->weights[i] = t->plan.weights[i];
        t->intended = UNDRAWN;
    }
}

static uint32_t pick_among(hd_target *t, const hd_target_threads *enabled)
{
    switch (t->plan.tail) {
    case HD_TAIL_PCT:
        return pick_pct(t, enabled);
    case HD_TAIL_POS:
        return pick_pos(t, enabled);
    case HD_TAIL_SURW:
        return pick_surw(t, enabled);
    default:
        return any(t, enabled);
    }
}

int hd_chance_pick(hd_target *t, uint32_t *outcome)
{
    hd_target_threads *enabled = &t->enabled;
    enabled->count = 0;
    for (uint32_t i = 0; i < *t->runtime->thread_count; i++)
        if (t->runtime->threads[i].status == HD_THREAD_AT_OP && t->runtime->enabled(i))
            enabled->threads[enabled->count++] = i;
    if (!enabled->count)
        return -1;
    uint32_t best = pick_among(t, enabled);
    uint32_t outcomes = pending(t, best)->choices;
    *outcome = (uint32_t)hd_rng_below(&t->rng, outcomes > 1 ? outcomes : 1);
    return (int)best;
}
