/* Scripted programs for tests: short names for their instructions, a fixture
 * that runs them, and random ones. A random program is small enough for dfs:
 * up to three workers with a few operations each, made of blocks (an access, a
 * critical section, a wait, a signal, a choice with a branch). */
#ifndef HD_TESTS_UNIT_SCRIPTED_H
#define HD_TESTS_UNIT_SCRIPTED_H

#include "base/rng.h"
#include "explore/run.h"
#include "target/script.h"
#include "target/target.h"
#include "unit/test.h"

#include <stdio.h>
#include <string.h>

#define READ(cell, bytes) \
    { \
        .code = HD_DO_READ, .object = cell, .mask = bytes \
    }
#define WRITE(cell, bytes, v) \
    { \
        .code = HD_DO_WRITE, .object = cell, .mask = bytes, .value = v \
    }
#define LOAD(cell) \
    { \
        .code = HD_DO_LOAD, .object = cell, .mask = 1 \
    }
#define STORE(cell, v) \
    { \
        .code = HD_DO_STORE, .object = cell, .mask = 1, .value = v \
    }
#define ADD(cell, v) \
    { \
        .code = HD_DO_ADD, .object = cell, .mask = 1, .value = v \
    }
#define SWAP_IF(cell, old, v) \
    { \
        .code = HD_DO_SWAP_IF, .object = cell, .mask = 1, .other = old, .value = v \
    }
#define LOCK(m) \
    { \
        .code = HD_DO_LOCK, .object = m \
    }
#define TRYLOCK(m) \
    { \
        .code = HD_DO_TRYLOCK, .object = m \
    }
#define UNLOCK(m) \
    { \
        .code = HD_DO_UNLOCK, .object = m \
    }
#define SEM_WAIT(s) \
    { \
        .code = HD_DO_SEM_WAIT, .object = s \
    }
#define SEM_TRY(s) \
    { \
        .code = HD_DO_SEM_TRY, .object = s \
    }
#define SEM_POST(s) \
    { \
        .code = HD_DO_SEM_POST, .object = s \
    }
#define WAIT(c, m) \
    { \
        .code = HD_DO_WAIT, .object = c, .other = m \
    }
#define TIMEDWAIT(c, m) \
    { \
        .code = HD_DO_TIMEDWAIT, .object = c, .other = m \
    }
#define SIGNAL(c) \
    { \
        .code = HD_DO_SIGNAL, .object = c \
    }
#define BROADCAST(c) \
    { \
        .code = HD_DO_BROADCAST, .object = c \
    }
#define CREATE(t) \
    { \
        .code = HD_DO_CREATE, .object = t \
    }
#define JOIN(t) \
    { \
        .code = HD_DO_JOIN, .object = t \
    }
#define CHOOSE(n) \
    { \
        .code = HD_DO_CHOOSE, .value = n \
    }
#define JUMP_IF(v, to) \
    { \
        .code = HD_DO_JUMP_IF, .object = to, .value = v \
    }
#define JUMP_UNLESS(v, to) \
    { \
        .code = HD_DO_JUMP_UNLESS, .object = to, .value = v \
    }
#define ASSERT(v) \
    { \
        .code = HD_DO_ASSERT, .value = v \
    }
#define EXIT() \
    { \
        .code = HD_DO_EXIT \
    }
#define STOP(outcome) \
    { \
        .code = HD_DO_STOP, .value = outcome \
    }
#define INPUT(bits) \
    { \
        .code = HD_DO_INPUT, .value = bits \
    }
#define SET(variable) \
    { \
        .code = HD_DO_SET, .object = variable \
    }
#define GET(variable) \
    { \
        .code = HD_DO_GET, .object = variable \
    }
#define PLUS(v) \
    { \
        .code = HD_DO_PLUS, .value = v \
    }
#define PLUS_VARIABLE(variable) \
    { \
        .code = HD_DO_PLUS_VARIABLE, .object = variable \
    }
#define BELOW(v) \
    { \
        .code = HD_DO_BELOW, .value = v \
    }
#define PIN() \
    { \
        .code = HD_DO_PIN \
    }
#define FOLLOW() \
    { \
        .code = HD_DO_FOLLOW \
    }
#define ASSUME(v) \
    { \
        .code = HD_DO_ASSUME, .value = v \
    }
#define COUNT_RUNS() \
    { \
        .code = HD_DO_COUNT_RUNS \
    }

/* Main of a program with this many workers. */
#define MAIN_OF_2 \
    { \
        CREATE(1), CREATE(2), JOIN(1), JOIN(2) \
    }
#define MAIN_OF_3 \
    { \
        CREATE(1), CREATE(2), CREATE(3), JOIN(1), JOIN(2), JOIN(3) \
    }

typedef struct scripted {
    hd_script script;
    hd_target target;
} scripted;

static inline void scripted_open(scripted *x, const hd_script_program *p, hd_memory *memory)
{
    hd_script_init(&x->script, p);
    hd_target_init(&x->target, &x->script.runtime, memory);
    x->script.engine = &x->target.engine;
}

static inline void scripted_close(scripted *x)
{
    hd_target_fini(&x->target);
}

/* --- exploring a script to its end ------------------------------------------------- */

enum { SCRIPTED_FINDINGS = 64 };

typedef struct exploration {
    hd_run_counts counts;
    hd_run_end end;
    hd_finding findings[SCRIPTED_FINDINGS]; /* one per key */
    uint32_t finding_count;
    uint64_t limit; /* executions; 0: none */
    uint64_t runs;
    bool stop_at_first;
    uint64_t seed; /* of the explorer; 0: 1 */
    hd_bounded bounded; /* of dfs, preempt and delay … */
    uint32_t most; /* … by so many */
    bool hunts; /* with hunters */
    uint32_t notices, restarts;
    char notice[400];
    const uint64_t (*fixed)[HD_SCRIPT_STEPS]; /* inputs that are not explored */
    const char *second; /* an explorer that takes turns; NULL: none */
    const char *ended_by; /* out: the explorer that had nothing left */
} exploration;

static inline bool exploration_found(void *context, const hd_finding *f, const hd_test_case *test)
{
    exploration *x = context;
    (void)test;
    for (uint32_t i = 0; i < x->finding_count; i++)
        if (x->findings[i].key == f->key)
            return true;
    if (x->finding_count < SCRIPTED_FINDINGS)
        x->findings[x->finding_count++] = *f;
    return !x->stop_at_first;
}

static inline bool exploration_goes_on(void *context)
{
    exploration *x = context;
    return !x->limit || x->runs++ < x->limit;
}

static inline void exploration_notice(void *context, const char *text)
{
    exploration *x = context;
    x->notices++;
    snprintf(x->notice, sizeof x->notice, "%s", text);
}

static inline void exploration_starts_over(void *context)
{
    exploration *x = context;
    x->restarts++;
}

static inline hd_explore_config scripted_config(uint64_t seed)
{
    return (hd_explore_config) { .seed = seed ? seed : 1,
        .pct_depth = 3,
        .races = true,
        .solver = { .path = "build/lib/heddle/solve", .milliseconds = 2000, .few_bits = 8 } };
}

/* `x->limit` and `x->stop_at_first` are the caller's. */
static inline void explore(exploration *x, const hd_script_program *p, const char *explorer, hd_memory *memory)
{
    static scripted s;
    hd_run_config config = { .explorer = hd_explorer_find(explorer),
        .second = x->second ? hd_explorer_find(x->second) : NULL,
        .explore = scripted_config(x->seed),
        .count_states = true,
        .count_traces = hd_explorer_find(explorer)->reached };
    config.explore.bounded = x->bounded;
    config.explore.most = x->most;
    config.hunts = x->hunts;
    hd_run_listener listener = { x, exploration_found, exploration_goes_on, exploration_notice, exploration_starts_over,
        NULL };
    scripted_open(&s, p, memory);
    s.script.fixed = x->fixed;
    hd_run *run = hd_run_open(&config, &s.target, &x->counts, memory);
    x->end = hd_run_go(run, &listener);
    x->ended_by = hd_run_explorer(run)->name;
    hd_run_close(run);
    scripted_close(&s);
}

/* --- random programs ------------------------------------------------------------------- */

/* What random programs may have: assertions that fail, threads that nobody
 * joins and that the end of main cuts short, more threads than dfs can do, inputs
 * of a few bits. */
enum { DRAW_ASSERTIONS = 1, DRAW_EXITS = 2, DRAW_MANY = 4, DRAW_INPUTS = 8, DRAW_RWLOCKS = 16 };

enum { RANDOM_CELLS = 2, RANDOM_MUTEXES = 2, RANDOM_BLOCKS = 6, RANDOM_BITS = 2 };

typedef struct drawing {
    hd_rng rng;
    hd_script_program *program;
    uint32_t thread, at;
    uint32_t features;
    uint32_t next_thread;
} drawing;

static inline uint32_t draw(drawing *d, uint32_t below)
{
    return (uint32_t)hd_rng_below(&d->rng, below);
}

static inline void put(drawing *d, hd_script_step step)
{
    CHECK(d->at < HD_SCRIPT_STEPS - 1);
    d->program->threads[d->thread][d->at++] = step;
}

static inline void draw_access(drawing *d)
{
    static const uint8_t codes[] = { HD_DO_READ, HD_DO_READ, HD_DO_WRITE, HD_DO_WRITE, HD_DO_LOAD, HD_DO_STORE,
        HD_DO_ADD, HD_DO_SWAP_IF };
    static const uint8_t masks[] = { 1, 1, 2, 3 };
    put(d,
        (hd_script_step) { .code = codes[draw(d, sizeof codes)],
            .object = (uint8_t)draw(d, RANDOM_CELLS),
            .mask = masks[draw(d, sizeof masks)],
            .other = (uint8_t)draw(d, 2),
            .value = (int16_t)draw(d, 3) });
}

static inline void draw_section(drawing *d)
{
    uint8_t m = (uint8_t)draw(d, RANDOM_MUTEXES);
    bool try = draw(d, 4) == 0;
    uint32_t jump = d->at + 1;
    put(d, (hd_script_step) { .code = try ? HD_DO_TRYLOCK : HD_DO_LOCK, .object = m });
    if (try)
        put(d, (hd_script_step)JUMP_UNLESS(1, 0));
    if (draw(d, 3))
        draw_access(d);
    if (!try && draw(d, 4) == 0)
        put(d, (hd_script_step) { .code = draw(d, 2) ? HD_DO_WAIT : HD_DO_TIMEDWAIT, .object = 0, .other = m });
    else if (draw(d, 6) == 0)
        put(d, (hd_script_step) { .code = draw(d, 2) ? HD_DO_SIGNAL : HD_DO_BROADCAST, .object = 0 });
    put(d, (hd_script_step)UNLOCK(m));
    if (try)
        d->program->threads[d->thread][jump].object = (uint8_t)d->at;
}

/* A read or write lock around what often makes readers wait for each other. Some are never released. */
static inline void draw_shared_section(drawing *d)
{
    bool reads = draw(d, 3);
    put(d, (hd_script_step) { .code = reads ? HD_DO_RDLOCK : HD_DO_WRLOCK, .object = 0 });
    if (reads && draw(d, 2)) {
        put(d, (hd_script_step) { .code = HD_DO_SEM_POST, .object = 0 });
        put(d, (hd_script_step) { .code = HD_DO_SEM_WAIT, .object = 0 });
    } else if (draw(d, 2)) {
        draw_access(d);
    }
    if (draw(d, 4))
        put(d, (hd_script_step) { .code = reads ? HD_DO_RDUNLOCK : HD_DO_WRUNLOCK, .object = 0 });
}

/* Something is done or not, as inputs say: main's two, or the thread's own. */
static inline void draw_dependence(drawing *d)
{
    if (draw(d, 6) == 0) {
        put(d, (hd_script_step)INPUT(RANDOM_BITS));
    } else {
        put(d, (hd_script_step)GET((uint8_t)draw(d, 2)));
        if (draw(d, 3) == 0)
            put(d, (hd_script_step)PLUS_VARIABLE((uint8_t)draw(d, 2)));
    }
    if (draw(d, 3) == 0)
        put(d, (hd_script_step)PLUS((int16_t)draw(d, 3)));
    if (draw(d, 8) == 0) {
        put(d, (hd_script_step)PIN());
        return;
    }
    if (draw(d, 3) == 0)
        put(d, (hd_script_step)BELOW((int16_t)(1 + draw(d, 3))));
    uint32_t jump = d->at;
    put(d, (hd_script_step)JUMP_UNLESS((int16_t)draw(d, 2), 0));
    draw_access(d);
    d->program->threads[d->thread][jump].object = (uint8_t)d->at;
}

static inline void draw_block(drawing *d)
{
    if ((d->features & DRAW_INPUTS) && draw(d, 2)) {
        draw_dependence(d);
        return;
    }
    if ((d->features & DRAW_RWLOCKS) && draw(d, 2)) {
        draw_shared_section(d);
        return;
    }
    switch (draw(d, RANDOM_BLOCKS + 2)) {
    case 0:
    case 1:
        draw_section(d);
        break;
    case 2:
        put(d, (hd_script_step) { .code = draw(d, 3) ? HD_DO_SEM_POST : HD_DO_SEM_TRY, .object = 0 });
        break;
    case 3:
        put(d, (hd_script_step) { .code = draw(d, 2) ? HD_DO_SEM_WAIT : HD_DO_SIGNAL, .object = 0 });
        break;
    case 4:
        if (draw(d, 2))
            put(d, (hd_script_step)CHOOSE(2));
        else
            draw_access(d);
        put(d, (hd_script_step)JUMP_UNLESS((int16_t)draw(d, 2), (uint8_t)(d->at + 2)));
        draw_access(d);
        break;
    default:
        draw_access(d);
        break;
    }
}

/* A worker; some of them start another, and some of those wait for it. */
static inline void draw_worker(drawing *d, uint32_t thread, uint32_t blocks, bool may_create)
{
    uint32_t child = 0;
    d->thread = thread;
    d->at = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        if (may_create && !child && draw(d, 5) == 0) {
            child = d->next_thread++;
            put(d, (hd_script_step)CREATE((uint8_t)child));
        }
        draw_block(d);
    }
    if (child && (!(d->features & DRAW_EXITS) || draw(d, 2)))
        put(d, (hd_script_step)JOIN((uint8_t)child));
    if ((d->features & DRAW_ASSERTIONS) && draw(d, 3) == 0)
        put(d, (hd_script_step)ASSERT((int16_t)draw(d, 2)));
    if (child)
        draw_worker(d, child, 1, false);
}

static inline void draw_program(hd_script_program *p, uint64_t seed, uint32_t features)
{
    drawing d = { .program = p, .features = features };
    hd_rng_seed(&d.rng, seed);
    memset(p, 0, sizeof *p);
    p->semaphores[0] = (uint8_t)draw(&d, 2);
    static const uint8_t most_blocks[] = { [2] = 3, [3] = 2, [4] = 2, [5] = 1 };
    uint32_t more = features & DRAW_MANY ? 1 : 0, workers = 2 + more + draw(&d, 2 + more);
    d.next_thread = workers + 1;
    for (uint32_t t = 1; t <= workers; t++)
        draw_worker(&d, t, 1 + draw(&d, most_blocks[workers] + (more && workers == 3)), draw(&d, 3 + 3 * more) == 0);
    d.thread = d.at = 0;
    for (uint8_t i = 0; (features & DRAW_INPUTS) && i < 2; i++) {
        put(&d, (hd_script_step)INPUT(RANDOM_BITS));
        put(&d, (hd_script_step)SET(i));
    }
    for (uint32_t t = 1; t <= workers; t++)
        put(&d, (hd_script_step)CREATE((uint8_t)t));
    if (draw(&d, 4) == 0)
        draw_access(&d);
    if ((features & DRAW_EXITS) && draw(&d, 4) == 0)
        return;
    for (uint32_t t = 1; t <= workers; t++)
        put(&d, (hd_script_step)JOIN((uint8_t)t));
    draw_access(&d);
}

#endif
