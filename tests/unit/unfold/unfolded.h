/* The unfolding of a program written as text, built by running it. */
#ifndef HD_TESTS_UNFOLD_UNFOLDED_H
#define HD_TESTS_UNFOLD_UNFOLDED_H

#include "unfold/unfold_internal.h"
#include "unit/test.h"
#include "unit/unfold/programs.h"

typedef struct result {
    hd_unfolding *u;
    uint32_t tests, missed;
} result;

static inline uint32_t end_object(const program *p, uint32_t t)
{
    (void)p;
    return 27 + t;
}

static inline void follow(hd_unfolding *u, machine *m)
{
    hd_unfold_return(u, 0);
    for (uint32_t i = 0; i < m->note_count; i++) {
        const note *n = &m->notes[i];
        step *s = &m->steps[n->step];
        if (n->kind == NOTE_STEP)
            hd_unfold_step(u, n->thread, s->accesses, s->count, s->choice, s->choices, n->thread * 100u + s->pc);
        else if (n->kind == NOTE_START)
            hd_unfold_order(u, n->thread, n->other);
        else if (n->kind == NOTE_END)
            hd_unfold_reach(u, n->thread, end_object(m->p, n->thread));
        else
            hd_unfold_await(u, n->thread, end_object(m->p, n->other));
    }
    for (uint32_t t = 0; t < m->p->threads; t++) {
        const op *o = next_op(m, t);
        if (is_over(m, t)) {
            hd_unfold_mark_stop(u, (uint16_t)t, HD_STOP_ENDS, 0);
        } else if (o && o->parts[0].code == 'j') {
            hd_unfold_left_waiting(u, (uint16_t)t, end_object(m->p, (uint32_t)(o->parts[0].object - '0')));
        } else if (o) {
            hd_unfold_access a = access_of(m, &o->parts[0]);
            a.key = m->pc[t] + 1;
            hd_unfold_wish(u, (uint16_t)t, &a, 1, o->parts[0].code == '?' ? 2 : 0);
        }
    }
}

static inline void run_tail(machine *m, hd_rng *rng)
{
    for (;;) {
        uint32_t able[MAX_THREADS], count = 0;
        for (uint32_t t = 0; t < m->p->threads; t++)
            if (can_go(m, t))
                able[count++] = t;
        if (!count)
            return;
        uint32_t t = rng ? able[hd_rng_below(rng, count)] : able[0];
        bool chooses = next_op(m, t)->parts[0].code == '?';
        go(m, t, chooses && rng ? (uint8_t)hd_rng_below(rng, 2) : 0);
    }
}

/* These programs have no inputs. */
static inline bool permit(void *context, const hd_unfold_literal *literals, size_t count, bool afresh)
{
    (void)context;
    (void)literals;
    (void)afresh;
    CHECK(!count);
    return true;
}

static const hd_unfold_judge judge = { NULL, permit };

static inline result unfold(const program *p, hd_net net, uint64_t seed)
{
    static machine m;
    static const uint32_t most_columns[] = { HD_WIDE_ROW, 0, 1 }; /* of so many objects; of the others, deep rows */
    result r = { .u = hd_unfold_open(net, &hd_heap) };
    r.u->most_columns = most_columns[seed % 3];
    hd_unfold_schedule schedule = { .memory = &hd_heap };
    hd_rng rng;
    hd_rng_seed(&rng, seed);
    for (uint32_t i = 0; i < 26; i++)
        hd_unfold_add_object(r.u, 0);
    for (uint16_t t = 0; t < MAX_THREADS; t++)
        hd_unfold_add_awaited(r.u, t);
    uint32_t sure = 0, side;
    do {
        start(&m, p);
        for (size_t i = 0; i < schedule.count; i++) {
            if (can_go(&m, schedule.items[i].thread))
                go(&m, schedule.items[i].thread, schedule.items[i].choice);
            else if (i < sure)
                hd_test_failed(__FILE__, __LINE__, "a known event cannot be repeated");
        }
        run_tail(&m, seed ? &rng : NULL);
        follow(r.u, &m);
        r.missed += !hd_unfold_finish(r.u, &side);
        r.tests++;
    } while (hd_unfold_next(r.u, seed ? HD_TARGETS_RANDOM : HD_TARGETS_LAST, &rng, &judge, &schedule, &sure));
    hd_vec_fini(&schedule);
    return r;
}

#endif
