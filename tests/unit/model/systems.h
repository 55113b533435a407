/* Random systems of processes that exchange messages, as Promela text: for
 * tests that compare searches with each other. */
#ifndef HD_TESTS_UNIT_MODEL_SYSTEMS_H
#define HD_TESTS_UNIT_MODEL_SYSTEMS_H

#include "base/rng.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char body[16384];
    size_t used;
} text;

static void put(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->used += (size_t)vsnprintf(t->body + t->used, sizeof t->body - t->used, format, args);
    va_end(args);
}

typedef struct generator {
    hd_rng rng;
    int processes, budget;
    bool shared; /* statements on a global variable, too */
    bool atomic; /* atomic sequences, too */
} generator;

static int pick(generator *g, int n)
{
    return (int)hd_rng_below(&g->rng, (uint64_t)n);
}

/* Port p<i> belongs to process i; some processes also own a second port r<i>. */
static void put_action(generator *g, text *t, int me)
{
    int other = (me + 1 + pick(g, g->processes - 1)) % g->processes;
    switch (pick(g, g->shared ? 6 : 5)) {
    case 0:
    case 1:
        put(t, "%c%d!%d", pick(g, 3) ? 'p' : 'r', other, pick(g, 3));
        break;
    case 2:
        put(t, "p%d?x", me);
        break;
    case 3:
        put(t, "%c%d?%d", pick(g, 3) ? 'p' : 'r', me, pick(g, 3));
        break;
    case 4:
        put(t, "x = (x + %d) %% 3", pick(g, 3));
        break;
    case 5:
        put(t, pick(g, 2) ? "g = (g + 1) %% 4" : "g != 2");
        break;
    }
}

static void put_block(generator *g, text *t, int me, int depth)
{
    int length = 1 + pick(g, 3);
    for (int i = 0; i < length && g->budget > 0; i++) {
        g->budget--;
        if (g->atomic && pick(g, 3) == 0) {
            put(t, "atomic { ");
            put_block(g, t, me, depth > 0 ? depth - 1 : 0);
            put(t, " }; ");
        } else if (depth > 0 && pick(g, 3) == 0) {
            put(t, "if :: ");
            put_action(g, t, me);
            put(t, "; ");
            put_block(g, t, me, depth - 1);
            put(t, " :: ");
            put_action(g, t, me);
            if (pick(g, 2)) {
                put(t, "; ");
                put_block(g, t, me, depth - 1);
            }
            put(t, " fi; ");
        } else {
            put_action(g, t, me);
            put(t, "; ");
        }
    }
    put(t, "skip");
}

static void put_system(text *t, uint64_t seed, bool shared, bool atomic)
{
    generator g = { .shared = shared, .atomic = atomic };
    hd_rng_seed(&g.rng, seed);
    t->used = 0;
    g.processes = 2 + pick(&g, 3);
    put(t, "byte g;\n");
    for (int i = 0; i < g.processes; i++)
        put(t, "chan p%d = [20] of { byte }; chan r%d = [20] of { byte };\n", i, i);
    for (int i = 0; i < g.processes; i++) {
        g.budget = g.processes == 4 ? 4 : 6;
        put(t, "active proctype P%d() { byte x; ", i);
        put_block(&g, t, i, 2);
        if (pick(&g, 4) == 0)
            put(t, "; do :: p%d?x -> x = 0 :: p%d?1 -> break od", i, i);
        put(t, " }\n");
    }
}

#endif
