/* The loop: starting over, falling back to fork, programs that misbehave;
 * minimising; the shape of wakeup trees. */
#include "explore/wakeup.h"
#include "unit/scripted.h"
#include "unit/test.h"

#include <sys/mman.h>

enum { WARM_UP = 4, WRITERS_TRACES = 6 };

/* Three writers of one cell; main stops with `outcome` in its `run`-th run. */
static hd_script_program writers(int16_t run, int16_t outcome)
{
    return (hd_script_program) { .threads = {
                                     { COUNT_RUNS(), JUMP_UNLESS(run, 3), STOP(outcome), CREATE(1), CREATE(2),
                                         CREATE(3), JOIN(1), JOIN(2), JOIN(3) },
                                     { WRITE(0, 1, 1) },
                                     { WRITE(0, 1, 2) },
                                     { WRITE(0, 1, 3) },
                                 } };
}

TEST(what_was_learned_makes_it_start_over)
{
    static exploration x;
    for (int16_t late = 1; late <= WRITERS_TRACES; late++) {
        hd_script_program p = writers(WARM_UP + late, HD_LEARNED);
        memset(&x, 0, sizeof x);
        explore(&x, &p, "dpor", &hd_heap);
        CHECK_INT(x.end, HD_END_COMPLETE);
        CHECK_INT(x.restarts, 1);
        CHECK_INT(x.counts.restarts, 1);
        CHECK_INT(x.counts.tests, WRITERS_TRACES);
    }
}

TEST(what_cannot_be_undone_makes_it_fork)
{
    static exploration found;
    hd_script_program p = writers(WARM_UP + 3, HD_NEEDS_FORK);
    scripted *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    hd_run_config config = { .explorer = hd_explorer_find("dpor") };
    hd_run_listener listener = { &found, exploration_found, exploration_goes_on, exploration_notice,
        exploration_starts_over, NULL };
    scripted_open(s, &p, &hd_heap);
    hd_run *run = hd_run_open(&config, &s->target, &found.counts, &hd_heap);
    CHECK_INT(hd_run_go(run, &listener), HD_END_COMPLETE);
    CHECK(s->target.fork);
    CHECK(strstr(found.notice, "--isolate=fork"));
    CHECK_INT(found.counts.tests, WRITERS_TRACES);
    hd_run_close(run);
    scripted_close(s);
    munmap(s, sizeof *s);
}

/* In one run a thread writes elsewhere. */
TEST(a_program_that_misbehaves_is_told_with_the_place)
{
    static exploration x;
    uint32_t told = 0;
    for (int16_t run = WARM_UP + 2; run <= WARM_UP + WRITERS_TRACES; run++) {
        hd_script_program p = { .threads = {
                                    MAIN_OF_3,
                                    { COUNT_RUNS(), JUMP_IF(run, 3), WRITE(0, 1, 1), WRITE(1, 1, 1), WRITE(0, 1, 1) },
                                    { WRITE(0, 1, 2) },
                                    { WRITE(0, 1, 3) },
                                } };
        memset(&x, 0, sizeof x);
        explore(&x, &p, "dfs", &hd_heap);
        if (x.end == HD_END_NONDETERMINISTIC) {
            told++;
            CHECK(strstr(x.notice, "near script:10") != NULL);
        }
    }
    CHECK(told >= 2);
}

static uint32_t switches(const hd_choice *steps, size_t count)
{
    uint32_t result = 0;
    for (size_t i = 1; i < count; i++)
        result += steps[i].thread != steps[i - 1].thread;
    return result;
}

typedef struct shown {
    uint64_t key;
    bool again;
} shown;

static void compare(void *context, const hd_finding *f)
{
    shown *s = context;
    if (!s->key)
        s->key = f->key;
    s->again |= f->key == s->key;
}

static void find(hd_execution *e, shown *s)
{
    hd_trace t;
    hd_trace_init(&t, &hd_heap, true);
    hd_trace_extend(&t, e);
    hd_check_execution(e, &t, compare, s);
    hd_trace_fini(&t);
}

TEST(minimising_keeps_the_finding_and_never_adds_switches)
{
    static scripted x;
    uint32_t minimised = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        hd_script_program p;
        shown s = { 0 };
        draw_program(&p, seed, DRAW_ASSERTIONS);
        scripted_open(&x, &p, &hd_heap);
        hd_execution e = hd_target_run(&x.target, &(hd_plan) { .tail = HD_TAIL_RANDOM, .seed = seed });
        find(&e, &s);
        hd_test_case test = { 0 };
        hd_test_case_of(&e, &test);
        uint32_t before = switches(test.schedule.items, test.schedule.count);
        if (s.key) {
            hd_minimise(&x.target, s.key, true, &test, &hd_heap);
            e = hd_target_run(&x.target,
                &(hd_plan) {
                    .prefix = test.schedule.items, .prefix_count = (uint32_t)test.schedule.count, .forgiving = true });
            s.again = false;
            find(&e, &s);
            CHECK(s.again);
            CHECK(switches(test.schedule.items, test.schedule.count) <= before);
            minimised++;
        }
        hd_test_case_fini(&test);
        scripted_close(&x);
    }
    CHECK(minimised > 20);
}

/* A sequence of steps of different threads on one cell each, none ordered. */
static void make_sequence(
    hd_wakeup_sequence *out, hd_op *ops, const uint32_t *clock, const char *threads, const char *cells)
{
    hd_vec_clear(out);
    for (size_t i = 0; threads[i]; i++) {
        ops[i] = (hd_op) {
            .kind = HD_WRITE, .object = (uint64_t)cells[i], .mask = 1, .thread = (uint16_t)(threads[i] - '0')
        };
        hd_vec_push(out,
            ((hd_wakeup_step) {
                .thread = ops[i].thread, .number = 1, .clock = clock, .ops = &ops[i], .op_count = 1, .needed = true }));
    }
}

static size_t count_branches(const hd_wakeup_trees *t, uint32_t root)
{
    size_t count = 0;
    for (uint32_t b = root; b; b = t->nodes.items[b].sibling)
        count += t->nodes.items[b].child ? count_branches(t, t->nodes.items[b].child) : 1;
    return count;
}

TEST(wakeup_trees_take_only_what_no_branch_covers)
{
    static const uint32_t unordered[HD_MAX_THREADS];
    hd_wakeup_trees trees;
    hd_wakeup_sequence sequence = { 0 };
    hd_wakeup_reasons reasons = { 0 };
    hd_op ops[8];
    uint32_t root = 0;
    hd_wakeup_init(&trees, &hd_heap);
    static const struct {
        const char *threads, *cells;
        size_t branches; /* in all, after it */
    } cases[] = {
        { "1", "x", 1 }, /* the first */
        { "1", "x", 1 }, /* the same */
        { "2", "y", 1 }, /* commutes with it */
        { "3", "x", 2 }, /* conflicts with it */
        { "23", "yx", 2 }, /* follows the branch of 3, behind what commutes */
        { "21", "yx", 2 }, /* begins with 1 as well */
        { "45", "xy", 3 }, { "46", "xz", 3 }, /* 5 commutes with both, so it leads on past it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_sequence(&sequence, ops, unordered, cases[i].threads, cases[i].cells);
        hd_wakeup_insert(&trees, &root, 0, &sequence, &reasons);
        CHECK(hd_wakeup_is_valid(&trees, root));
        if (count_branches(&trees, root) != cases[i].branches)
            hd_test_failed(__FILE__, __LINE__, "%s on %s: %zu branches", cases[i].threads, cases[i].cells,
                count_branches(&trees, root));
    }
    hd_vec_fini(&sequence);
    hd_wakeup_fini(&trees);
}
