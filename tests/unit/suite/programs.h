/* Small programs of threads that read and write variables, all their interleavings, and
 * what can be said about covers from those alone: the oracle for everything in src/suite. */
#ifndef HD_TESTS_SUITE_PROGRAMS_H
#define HD_TESTS_SUITE_PROGRAMS_H

#include "abi/site.h"
#include "base/rng.h"
#include "events/events.h"
#include "suite/build.h"
#include "suite/cover.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 3, MOST_STEPS = 3, MOST_LOG = MOST_THREADS * MOST_STEPS, MOST_GOALS = 24 };

typedef struct small_program {
    uint32_t threads;
    uint32_t steps[MOST_THREADS];
    hd_op ops[MOST_THREADS][MOST_STEPS];
    hd_site sites[MOST_THREADS][MOST_STEPS];
} small_program;

static inline void add_step(small_program *p, uint32_t thread, uint8_t kind, uint64_t object, uint8_t mask)
{
    uint32_t n = p->steps[thread]++;
    p->threads = thread >= p->threads ? thread + 1 : p->threads;
    p->sites[thread][n] = (hd_site) { "small.c", "f", thread * 10 + n + 1, 1, 0 };
    p->ops[thread][n] = (hd_op) { .object = object, .thread = (uint16_t)thread, .kind = kind, .mask = mask };
}

static inline small_program random_program(hd_rng *rng)
{
    static const uint8_t kinds[] = { HD_LOAD, HD_LOAD, HD_STORE, HD_STORE, HD_RMW, HD_SEM_POST, HD_SEM_VALUE };
    small_program p = { 0 };
    uint32_t threads = 2 + (uint32_t)hd_rng_below(rng, MOST_THREADS - 1);
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t steps = 1 + (uint32_t)hd_rng_below(rng, threads == 3 ? 2 : MOST_STEPS);
        for (uint32_t i = 0; i < steps; i++) {
            static const uint8_t masks[] = { 0xff, 0xff, 0x0f, 0x3c };
            uint8_t kind = kinds[hd_rng_below(rng, sizeof kinds)];
            add_step(&p, t, kind, 64 + 8 * hd_rng_below(rng, 2), masks[hd_rng_below(rng, sizeof masks)]);
        }
    }
    return p;
}

/* Calls `run` with every interleaving. */
typedef struct interleaving {
    small_program *program;
    void (*run)(struct interleaving *i, const hd_execution *e);
    hd_events *events;
    void *context;
    hd_op log[MOST_LOG];
    hd_covered covered[MOST_LOG]; /* a block behind each step */
    uint32_t count, done[MOST_THREADS];
} interleaving;

static inline void interleave(interleaving *i)
{
    static const hd_outcome finished = { .kind = HD_FINISHED };
    bool ended = true;
    for (uint32_t t = 0; t < i->program->threads; t++) {
        if (i->done[t] == i->program->steps[t])
            continue;
        ended = false;
        i->log[i->count] = i->program->ops[t][i->done[t]];
        i->log[i->count].site = &i->program->sites[t][i->done[t]];
        i->covered[i->count] = (hd_covered) { i->log[i->count].site, i->count + 1, (uint16_t)t, 0, HD_COVER_BLOCK };
        i->count++;
        i->done[t]++;
        interleave(i);
        i->done[t]--;
        i->count--;
    }
    if (ended)
        i->run(i,
            &(hd_execution) { .log = i->log,
                .log_count = i->count,
                .covered = i->covered,
                .covered_count = i->count,
                .outcome = &finished });
}

static inline void record_run(interleaving *i, const hd_execution *e)
{
    hd_events_add(i->events, e);
}

static inline hd_events *record_all(small_program *p, hd_net net)
{
    interleaving i = { .program = p, .run = record_run, .events = hd_events_open(net, &hd_heap) };
    interleave(&i);
    return i.events;
}

/* --- the oracle -------------------------------------------------------------------------------- */

typedef struct oracle {
    const hd_suite_problem *problem;
    uint32_t *sets; /* of goals that a configuration reaches, as bits */
    size_t count, room;
} oracle;

static inline void note_set(oracle *o, uint32_t set)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->sets[i] == set)
            return;
    if (o->count == o->room)
        o->sets = realloc(o->sets, (o->room = o->room * 2 + 16) * sizeof *o->sets);
    o->sets[o->count++] = set;
}

/* Every prefix of an interleaving whose inputs can be had. */
static inline void note_prefixes(interleaving *i, const hd_execution *e)
{
    oracle *o = i->context;
    const hd_suite_problem *n = o->problem;
    uint32_t count, set = 0, branches[MOST_LOG], branch_count = 0;
    hd_events_add(i->events, e);
    const uint32_t *events = hd_events_last(i->events, &count);
    for (uint32_t k = 0; k < count; k++) {
        if (n->trees->events.items[events[k]].branches)
            branches[branch_count++] = events[k];
        if (branch_count && !n->trees->satisfiable(n->trees->context, branches, branch_count))
            return;
        for (size_t g = 0; g < n->goals.count; g++)
            for (uint32_t m = 0; m < n->goals.items[g].member_count; m++)
                set |= (uint32_t)(n->members.items[n->goals.items[g].member + m] == events[k]) << g;
        note_set(o, set);
    }
}

static inline bool coverable(const oracle *o, uint32_t open, uint32_t tests)
{
    if (!open)
        return true;
    if (!tests)
        return false;
    uint32_t first = open & -open;
    for (size_t i = 0; i < o->count; i++)
        if ((o->sets[i] & first) && coverable(o, open & ~o->sets[i], tests - 1))
            return true;
    return false;
}

/* The smallest number of configurations that reach all goals, from the interleavings alone. */
static inline uint32_t smallest_cover(small_program *p, hd_events *g, const hd_suite_problem *n)
{
    oracle o = { .problem = n };
    interleaving i = { .program = p, .run = note_prefixes, .events = g, .context = &o };
    interleave(&i);
    uint32_t all = n->goals.count == 32 ? ~0u : (1u << n->goals.count) - 1, tests = 0;
    while (!coverable(&o, all, tests))
        tests++;
    free(o.sets);
    return tests;
}

/* --- watching --------------------------------------------------------------------------------- */

static inline bool always(void *context)
{
    (void)context;
    return true;
}

static inline void ignore(void *context, uint32_t lower, uint32_t upper)
{
    (void)context, (void)lower, (void)upper;
}

static const hd_suite_cover_watch patient = { NULL, always, ignore, "build/lib/heddle/smt" };

#endif
