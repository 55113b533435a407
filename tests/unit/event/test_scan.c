/* The scan for races against the trace's. */
#include "unit/scripted.h"
#include "unit/test.h"

#include "event/scan.h"
#include "event/trace.h"

typedef struct counts {
    uint32_t races, alarms, runs;
} counts;

static void compare(scripted *x, hd_scan *scan, uint64_t seed, counts *c)
{
    hd_trace trace;
    hd_plan plan = { .tail = HD_TAIL_RANDOM, .seed = seed };
    hd_execution e = hd_target_run(&x->target, &plan);
    hd_trace_init(&trace, &hd_heap, true);
    trace.sync_only = true;
    CHECK(hd_trace_extend(&trace, &e));
    bool races = trace.new_races.count > 0, may = hd_scan_may_race(scan, &e);
    if (races && !may)
        hd_test_failed(__FILE__, __LINE__, "seed %llu: a race that the scan does not see", (unsigned long long)seed);
    c->races += races;
    c->alarms += may;
    c->runs++;
    hd_trace_fini(&trace);
}

/* What it sees is what there is, but for a few accesses to parts of cells. */
TEST(the_scan_sees_every_race_and_hardly_more)
{
    static scripted x;
    hd_scan *scan = hd_scan_open(&hd_heap);
    counts c = { 0 };
    for (uint64_t seed = 1; seed <= 400; seed++) {
        hd_script_program p;
        draw_program(&p, seed, seed % 8);
        scripted_open(&x, &p, &hd_heap);
        for (uint64_t i = 0; i < 10; i++)
            compare(&x, scan, seed * 100 + i, &c);
        scripted_close(&x);
    }
    CHECK(c.races > c.runs / 10 && c.races < c.runs * 9 / 10);
    CHECK(c.alarms - c.races < c.runs / 50);
    hd_scan_close(scan);
}

/* A lock orders what comes after it behind what came before the unlock; a store
 * orders nothing for another store. */
TEST(the_scan_knows_what_orders)
{
    static scripted x;
    hd_script_program ordered = { .threads = { MAIN_OF_2, { LOCK(0), WRITE(0, 1, 1), UNLOCK(0) },
                                      { LOCK(0), WRITE(0, 1, 2), UNLOCK(0) } } };
    hd_script_program unordered = { .threads = {
                                        MAIN_OF_2, { WRITE(0, 1, 1), STORE(1, 1) }, { STORE(1, 1), WRITE(0, 1, 2) } } };
    hd_scan *scan = hd_scan_open(&hd_heap);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        hd_plan plan = { .tail = HD_TAIL_RANDOM, .seed = seed };
        scripted_open(&x, &ordered, &hd_heap);
        hd_execution e = hd_target_run(&x.target, &plan);
        CHECK(!hd_scan_may_race(scan, &e));
        scripted_close(&x);
        scripted_open(&x, &unordered, &hd_heap);
        e = hd_target_run(&x.target, &plan);
        CHECK(hd_scan_may_race(scan, &e));
        scripted_close(&x);
    }
    hd_scan_close(scan);
}
