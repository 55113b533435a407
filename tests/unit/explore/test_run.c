/* The loop: starting over, falling back to fork, programs that misbehave;
 * minimising. */
#include "unit/scripted.h"
#include "check/checks.h"
#include "worker/region.h"
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
    enum { ROOM = 64 << 20 }; /* what both processes see */
    scripted *s = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    hd_region *region = (hd_region *)(s + 1);
    hd_memory *memory = &region->memory;
    hd_run_config config = { .explorer = hd_explorer_find("dpor") };
    hd_run_listener listener = { &found, exploration_found, exploration_goes_on, exploration_notice,
        exploration_starts_over, NULL };
    hd_region_init(region, region + 1, (char *)s + ROOM);
    scripted_open(s, &p, memory);
    hd_target_open_fresh(&s->target);
    hd_run *run = hd_run_open(&config, &s->target, &found.counts, memory);
    CHECK_INT(hd_run_go(run, &listener), HD_END_COMPLETE);
    CHECK(s->target.fork);
    CHECK(strstr(found.notice, "--isolate=fork"));
    CHECK_INT(found.counts.tests, WRITERS_TRACES);
    hd_run_close(run);
    scripted_close(s);
    munmap(s, ROOM);
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
    hd_check_execution(e, &t, NULL, compare, s);
    hd_trace_fini(&t);
}

/* A search that is over before it starts leaves the test as it is, and runs nothing. */
TEST(minimising_ends_at_its_deadline)
{
    static scripted x;
    hd_script_program p;
    int stop = 1;
    hd_deadline over[] = { { .until = 1e-9 }, { .stop = &stop } };
    draw_program(&p, 1, DRAW_ASSERTIONS);
    scripted_open(&x, &p, &hd_heap);
    hd_execution e = hd_target_run(&x.target, &(hd_plan) { .tail = HD_TAIL_RANDOM, .seed = 1 });
    hd_test_case test = { 0 };
    hd_test_case_of(&e, &test);
    size_t length = test.schedule.count;
    for (int i = 0; i < 2; i++) {
        *x.script.runtime.log_count = 0; /* a run would fill it */
        CHECK(!hd_minimise(&x.target, 1, &(hd_settings) { .races = 1 }, &over[i], &test, &hd_heap));
        CHECK(test.schedule.count == length);
        CHECK(!*x.script.runtime.log_count);
    }
    hd_test_case_fini(&test);
    scripted_close(&x);
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
            CHECK(hd_minimise(&x.target, s.key, &(hd_settings) { .races = 1 }, &(hd_deadline) { 0 }, &test, &hd_heap));
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
