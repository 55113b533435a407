/* Atomic blocks, updates and inputs, on scripted programs that are made of little else: all explorers that take
 * inputs against trying everything.
 *
 * the samplers, which do not promise everything, may come to nothing that is not there.
 *
 * Inputs flow through cells. Blocks are empty, nested, of several operations, cut short by locks; branches stand
 * before, inside and behind them, on inputs and on what cells hold. HEDDLE_UNIT_PROGRAMS=N draws N programs of each
 * kind, from HEDDLE_UNIT_SEED on. */
#include "unit/everything.h"

#include <stdlib.h>

enum { PROGRAMS = 250, LIMIT = 1500, MOST_BITS = 6, CELLS = 2, ROOM = 17 };

/* --- drawing ------------------------------------------------------------------------------- */

typedef struct blocks_drawing {
    drawing d;
    uint32_t inputs; /* of two bits each, besides main's two */
    bool fails;
} blocks_drawing;

static void draw_item(blocks_drawing *b, bool inside);

static bool has_room(const blocks_drawing *b)
{
    return b->d.at < ROOM;
}

/* An access to one byte with plain numbers. */
static void draw_plain(drawing *d)
{
    static const uint8_t codes[] = { HD_DO_READ, HD_DO_WRITE, HD_DO_WRITE, HD_DO_LOAD, HD_DO_STORE, HD_DO_ADD,
        HD_DO_SWAP_IF };
    put(d,
        (hd_script_step) { .code = codes[draw(d, sizeof codes)],
            .object = (uint8_t)draw(d, CELLS),
            .mask = 1,
            .other = (uint8_t)draw(d, 3),
            .value = (int16_t)draw(d, 3) });
}

/* Something that depends on inputs. */
static void draw_value(blocks_drawing *b)
{
    drawing *d = &b->d;
    if (b->inputs && draw(d, 4) == 0) {
        b->inputs--;
        put(d, (hd_script_step)INPUT(2));
    } else {
        put(d, (hd_script_step)GET((uint8_t)draw(d, 2)));
    }
    if (draw(d, 4) == 0)
        put(d, (hd_script_step)PLUS((int16_t)(1 + draw(d, 3))));
}

static void draw_use(blocks_drawing *b)
{
    static const uint8_t codes[] = { HD_DO_PUT, HD_DO_SWAP, HD_DO_ADD_LAST };
    drawing *d = &b->d;
    draw_value(b);
    put(d, (hd_script_step) { .code = codes[draw(d, sizeof codes)], .object = (uint8_t)draw(d, CELLS), .mask = 1 });
}

/* The process may fail, or exits. */
static void draw_end(drawing *d)
{
    if (draw(d, 4) == 0) {
        put(d, (hd_script_step)EXIT());
    } else {
        put(d, (hd_script_step)READ((uint8_t)draw(d, CELLS), 1));
        put(d, (hd_script_step)ASSERT((int16_t)draw(d, 3)));
    }
}

/* Something is done or not, as an input or a cell says. */
static void draw_branch(blocks_drawing *b, bool inside)
{
    drawing *d = &b->d;
    if (draw(d, 3))
        draw_value(b);
    else
        put(d, (hd_script_step)READ((uint8_t)draw(d, CELLS), 1));
    if (draw(d, 3) == 0)
        put(d, (hd_script_step)BELOW((int16_t)(1 + draw(d, 3))));
    uint32_t jump = d->at;
    put(d, (hd_script_step)JUMP_UNLESS((int16_t)draw(d, 3), 0));
    if (b->fails && draw(d, 3) == 0)
        draw_end(d);
    else
        draw_item(b, inside);
    d->program->threads[d->thread][jump].object = (uint8_t)d->at;
}

static void draw_atomic(blocks_drawing *b)
{
    drawing *d = &b->d;
    put(d, (hd_script_step) { .code = HD_DO_BEGIN });
    for (uint32_t items = draw(d, 4); items > 0 && has_room(b); items--)
        draw_item(b, true);
    put(d, (hd_script_step) { .code = HD_DO_FINISH });
}

static void draw_locked(blocks_drawing *b, bool inside)
{
    drawing *d = &b->d;
    uint8_t m = (uint8_t)draw(d, RANDOM_MUTEXES);
    put(d, (hd_script_step)LOCK(m));
    if (has_room(b) && draw(d, 3))
        draw_item(b, inside);
    put(d, (hd_script_step)UNLOCK(m));
}

static void draw_item(blocks_drawing *b, bool inside)
{
    drawing *d = &b->d;
    if (!has_room(b)) {
        draw_plain(d);
        return;
    }
    switch (draw(d, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        draw_branch(b, inside);
        break;
    case 4:
    case 5:
    case 6:
        draw_use(b);
        break;
    case 7:
    case 8:
        draw_atomic(b);
        break;
    case 9:
        draw_locked(b, inside);
        break;
    case 10:
        if (inside)
            draw_value(b);
        else
            put(d, (hd_script_step)CHOOSE(2));
        put(d, (hd_script_step)JUMP_UNLESS(1, (uint8_t)(d->at + 2)));
        draw_plain(d);
        break;
    case 11:
        draw_value(b);
        if (draw(d, 3) == 0) {
            put(d, (hd_script_step)BELOW(3));
            put(d, (hd_script_step)ASSUME(1));
        } else {
            put(d, (hd_script_step)PIN());
        }
        break;
    case 12:
        put(d, (hd_script_step) { .code = draw(d, 2) ? HD_DO_SEM_POST : HD_DO_SEM_WAIT });
        break;
    default:
        draw_plain(d);
        break;
    }
}

static void draw_thread(blocks_drawing *b, uint32_t thread, uint32_t items)
{
    b->d.thread = thread;
    b->d.at = 0;
    for (uint32_t i = 0; i < items && has_room(b); i++)
        if (draw(&b->d, 2))
            draw_atomic(b);
        else
            draw_item(b, false);
}

static void draw_blocks(hd_script_program *p, uint64_t seed, bool fails)
{
    blocks_drawing b = { .d = { .program = p }, .inputs = 1, .fails = fails };
    drawing *d = &b.d;
    hd_rng_seed(&d->rng, seed);
    memset(p, 0, sizeof *p);
    p->semaphores[0] = (uint8_t)draw(d, 2);
    uint32_t workers = 1 + draw(d, 3);
    for (uint32_t t = 1; t <= workers; t++)
        draw_thread(&b, t, 1 + draw(d, workers == 3 ? 1 : 2));
    d->thread = d->at = 0;
    for (uint8_t i = 0; i < 2; i++) {
        put(d, (hd_script_step)INPUT(2));
        put(d, (hd_script_step)SET(i));
    }
    for (uint32_t t = 1; t <= workers; t++)
        put(d, (hd_script_step)CREATE((uint8_t)t));
    if (workers < 3)
        draw_item(&b, false);
    for (uint32_t t = 1; t <= workers; t++)
        put(d, (hd_script_step)JOIN((uint8_t)t));
}

/* --- comparing ----------------------------------------------------------------------------- */

static const char *const others[] = { "dpor", "unfold", "contextual", "naive" };
static const char *const samplers[] = { "random", "pct", "pos", "surw" };
enum { OTHERS = sizeof others / sizeof *others, SAMPLERS = sizeof samplers / sizeof *samplers, SAMPLES = 15 };

static struct {
    uint64_t compared, left_out, runs, tests, blocked, sampled;
} sums;

static void check_against_everything(const everything *all, const exploration *x, const char *name, uint64_t seed)
{
    bool dpor = !strcmp(name, "dpor");
    uint64_t ways = dpor ? x->counts.tests : x->counts.traces;
    if (x->end != HD_END_COMPLETE || ways != all->ways.count || x->counts.states != all->states.count
        || x->counts.state_sum != all->state_sum || x->counts.solver.unknown || x->counts.followed)
        hd_test_failed(__FILE__, __LINE__,
            "seed %llu: %zu ways and %zu states in all; %s: end %d, %llu ways, %llu states, %llu blocked %s",
            (unsigned long long)seed, all->ways.count, all->states.count, name, x->end, (unsigned long long)ways,
            (unsigned long long)x->counts.states, (unsigned long long)x->counts.blocked, x->notice);
}

static void check_net(const exploration *dfs, const exploration *net, const char *name, uint64_t seed)
{
    if (net->end != HD_END_COMPLETE || net->counts.locals != dfs->counts.locals
        || net->counts.local_sum != dfs->counts.local_sum || net->counts.followed)
        hd_test_failed(__FILE__, __LINE__, "seed %llu: %s: end %d, %llu local states in %llu tests, dfs has %llu %s",
            (unsigned long long)seed, name, net->end, (unsigned long long)net->counts.locals,
            (unsigned long long)net->counts.tests, (unsigned long long)dfs->counts.locals, net->notice);
}

/* Random executions come to no final state that trying everything does not. */
static void check_sampled_states(const everything *all, const hd_script_program *p, const char *name, uint64_t seed)
{
    static scripted s;
    const hd_explorer *x = hd_explorer_find(name);
    hd_explore_config config = scripted_config(seed);
    hd_plan plan;
    scripted_open(&s, p, &hd_heap);
    void *sampling = x->open(&config, &hd_heap);
    for (uint32_t i = 0; i < SAMPLES && x->next(sampling, &plan); i++) {
        hd_execution e = hd_target_run(&s.target, &plan);
        CHECK(x->learn(sampling, &e));
        sums.sampled++;
        if (hd_outcome_is_test(e.outcome->kind) && !hd_map_get(&all->states, final_state(&e)))
            hd_test_failed(__FILE__, __LINE__, "seed %llu: %s comes to a final state that there is not",
                (unsigned long long)seed, name);
    }
    x->close(sampling);
    scripted_close(&s);
}

static void check_samples(const everything *all, const exploration *dfs, const hd_script_program *p, uint64_t seed)
{
    static exploration sample;
    for (uint32_t i = 0; i < SAMPLERS; i++) {
        check_sampled_states(all, p, samplers[i], seed);
        sample = (exploration) { .limit = SAMPLES, .seed = seed };
        explore(&sample, p, samplers[i], &hd_heap);
        check_one_way(&sample, samplers[i], dfs, "dfs", seed);
    }
}

/* Executions that are no tests come to local states and races, too: more or less, as they come. */
static bool has_assumptions(const hd_script_program *p)
{
    for (uint32_t t = 0; t < HD_SCRIPT_THREADS; t++)
        for (uint32_t i = 0; p->threads[t][i].code; i++)
            if (p->threads[t][i].code == HD_DO_ASSUME)
                return true;
    return false;
}

static void compare(const hd_script_program *p, uint64_t seed)
{
    static exploration dfs, other;
    everything all = { .limit = LIMIT, .most_bits = MOST_BITS };
    try_everything(&all, p);
    if (!all.too_large) {
        dfs = (exploration) { .limit = 4 * LIMIT };
        explore(&dfs, p, "dfs", &hd_heap);
        check_against_everything(&all, &dfs, "dfs", seed);
        sums.runs += all.runs;
    }
    bool assumes = has_assumptions(p);
    uint32_t count = all.too_large ? 0 : assumes ? 1 : OTHERS;
    for (uint32_t i = 0; i < count; i++) {
        other = (exploration) { .limit = 4 * LIMIT, .seed = 1 + seed % 3 };
        explore(&other, p, others[i], &hd_heap);
        if (other.end == HD_END_COMPLETE && !assumes)
            check_findings(&dfs, &other, others[i], seed);
        if (i) {
            check_net(&dfs, &other, others[i], seed);
            continue;
        }
        check_against_everything(&all, &other, others[i], seed);
        sums.tests += other.counts.tests;
        sums.blocked += other.counts.blocked;
    }
    if (!all.too_large && !assumes)
        check_samples(&all, &dfs, p, seed);
    sums.compared += !all.too_large;
    sums.left_out += all.too_large;
    forget_everything(&all);
}

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void compare_many(bool fails)
{
    hd_script_program p;
    uint64_t count = from_environment("HEDDLE_UNIT_PROGRAMS", PROGRAMS),
             first = from_environment("HEDDLE_UNIT_SEED", 1);
    memset(&sums, 0, sizeof sums);
    for (uint64_t seed = first; seed < first + count; seed++) {
        draw_blocks(&p, seed, fails);
        compare(&p, seed);
    }
    printf("%llu programs compared, %llu too large; %llu runs of everything, dpor: %llu tests, %llu blocked; %llu "
           "samples\n",
        (unsigned long long)sums.compared, (unsigned long long)sums.left_out, (unsigned long long)sums.runs,
        (unsigned long long)sums.tests, (unsigned long long)sums.blocked, (unsigned long long)sums.sampled);
    CHECK(sums.compared >= count / 3);
    CHECK(sums.blocked * 20 <= sums.tests + sums.blocked);
}

TEST(blocks_and_inputs_are_explored_exactly)
{
    compare_many(false);
}

TEST(blocks_and_inputs_that_fail_are_explored_exactly)
{
    compare_many(true);
}
