/* Two explorers that take turns: together they show what each shows by itself, and
 * whoever needs less ends it. */
#include "explore/turns.h"
#include "unit/scripted.h"
#include "unit/test.h"

enum {
    PROGRAMS = 24,
    MANY = 2520 /* traces of four writers with two writes each */
};

static const hd_script_program writers = { .threads = {
                                               { CREATE(1), CREATE(2), CREATE(3), CREATE(4), JOIN(1), JOIN(2), JOIN(3),
                                                   JOIN(4), READ(0, 1) },
                                               { WRITE(0, 1, 1), WRITE(0, 1, 2) },
                                               { WRITE(0, 1, 1), WRITE(0, 1, 2) },
                                               { WRITE(0, 1, 1), WRITE(0, 1, 2) },
                                               { WRITE(0, 1, 1), WRITE(0, 1, 2) },
                                           } };

/* Five pairs of threads that have nothing to do with each other: each has 924 orders. */
static hd_script_program pairs(void)
{
    hd_script_program p = { 0 };
    for (uint8_t t = 1; t <= 10; t++) {
        p.threads[0][t - 1] = (hd_script_step)CREATE(t);
        p.threads[0][9 + t] = (hd_script_step)JOIN(t);
        for (uint8_t i = 0; i < 6; i++)
            p.threads[t][i] = (hd_script_step)WRITE((uint8_t)((t - 1) / 2), 1, i);
    }
    return p;
}

static void explore_both(exploration *x, const hd_script_program *p)
{
    memset(x, 0, sizeof *x);
    x->second = "dpor";
    explore(x, p, "unfold", &hd_heap);
}

TEST(where_nothing_is_saved_the_second_ends_it)
{
    static exploration x;
    explore_both(&x, &writers);
    CHECK_INT(x.end, HD_END_COMPLETE);
    CHECK(!strcmp(x.ended_by, "dpor"));
    CHECK(x.counts.tests > MANY && x.counts.tests < MANY + MANY / 4);
}

TEST(where_much_is_saved_the_first_does)
{
    static exploration x, alone;
    hd_script_program p = pairs();
    memset(&alone, 0, sizeof alone);
    explore(&alone, &p, "unfold", &hd_heap);
    explore_both(&x, &p);
    CHECK_INT(x.end, HD_END_COMPLETE);
    CHECK(!strcmp(x.ended_by, "unfold"));
    CHECK(x.counts.tests > alone.counts.tests && x.counts.tests < 8 * alone.counts.tests);
}

TEST(turns_are_the_same_every_time)
{
    static exploration x, again;
    explore_both(&x, &writers);
    explore_both(&again, &writers);
    CHECK_INT(x.counts.tests, again.counts.tests);
    CHECK_INT(x.counts.events, again.counts.events);
}

static hd_run *open_both(scripted *s, exploration *x, const hd_script_program *p)
{
    hd_run_config config = { .explorer = hd_explorer_find("unfold"),
        .second = hd_explorer_find("dpor"),
        .explore = { .seed = 1, .races = true } };
    memset(x, 0, sizeof *x);
    scripted_open(s, p, &hd_heap);
    return hd_run_open(&config, &s->target, &x->counts, &hd_heap);
}

/* Runs executions one at a time, and counts those of each explorer: all of the first before the second begins, and both
 * from then on. */
typedef struct turns_seen {
    uint64_t before, first, second;
} turns_seen;

static turns_seen run_some(hd_run *run, exploration *x, const hd_run_listener *listener, uint32_t count)
{
    turns_seen seen = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        uint64_t before = x->counts.tests;
        x->limit = 1;
        x->runs = 0;
        CHECK_INT(hd_run_go(run, listener), HD_END_STOPPED);
        uint64_t ran = x->counts.tests - before; /* none after warming up */
        bool second = !strcmp(hd_run_explorer(run)->name, "dpor");
        seen.second += second ? ran : 0;
        seen.first += !second && seen.second ? ran : 0;
        seen.before += !second && !seen.second ? ran : 0;
    }
    x->limit = 0;
    return seen;
}

/* The writers, with six writes of each to a cell of its own before. */
static hd_script_program long_writers(void)
{
    hd_script_program p = writers;
    for (uint8_t t = 1; t <= 4; t++) {
        memmove(p.threads[t] + 6, p.threads[t], 2 * sizeof *p.threads[t]);
        for (uint8_t i = 0; i < 6; i++)
            p.threads[t][i] = (hd_script_step)WRITE(t, 1, i);
    }
    return p;
}

/* The same work is fewer executions where these are longer. */
TEST(turns_are_counted_in_work)
{
    static exploration x;
    static scripted s;
    hd_run_listener listener = { &x, exploration_found, exploration_goes_on, exploration_notice,
        exploration_starts_over, NULL };
    hd_script_program large = long_writers();
    turns_seen seen[2];
    for (uint32_t i = 0; i < 2; i++) {
        hd_run *run = open_both(&s, &x, i ? &large : &writers);
        seen[i] = run_some(run, &x, &listener, 2500);
        hd_run_close(run);
        scripted_close(&s);
        CHECK(seen[i].before > 50 && seen[i].before < 1000);
    }
    CHECK(seen[1].before < seen[0].before * 2 / 3);
    CHECK(seen[0].second > 16 * seen[0].first && seen[0].first);
}

/* Three pairs of threads with 70, 20 and 20 orders: more than a million operations for dpor. */
static hd_script_program three_pairs(void)
{
    hd_script_program p = { 0 };
    for (uint8_t t = 1; t <= 6; t++) {
        p.threads[0][t - 1] = (hd_script_step)CREATE(t);
        p.threads[0][5 + t] = (hd_script_step)JOIN(t);
        for (uint8_t i = 0; i < 3 + (t <= 2); i++)
            p.threads[t][i] = (hd_script_step)WRITE((uint8_t)((t - 1) / 2), 1, i);
    }
    return p;
}

static void explore_with_hunt(exploration *x, const hd_script_program *p, bool hunts)
{
    memset(x, 0, sizeof *x);
    x->hunts = hunts;
    explore(x, p, "dpor", &hd_heap);
}

TEST(hunters_change_nothing_about_the_exploration)
{
    static exploration plain, hunted;
    hd_script_program p = three_pairs();
    explore_with_hunt(&plain, &p, false);
    explore_with_hunt(&hunted, &p, true);
    CHECK_INT(plain.counts.hunted, 0);
    CHECK(hunted.counts.hunted > 1000);
    CHECK_INT(hunted.end, HD_END_COMPLETE);
    CHECK(!strcmp(hunted.ended_by, "dpor"));
    CHECK_INT(hunted.counts.tests, plain.counts.tests);
    CHECK_INT(hunted.counts.events, plain.counts.events);
}

/* All executions of the program are equally long. Between two hunts the share falls to a half of a tenth. */
TEST(a_tenth_is_hunting_and_small_programs_are_not_hunted_in)
{
    static exploration x;
    hd_script_program p = three_pairs();
    explore_with_hunt(&x, &p, true);
    CHECK(x.counts.hunted <= x.counts.tests / 9 + 1 && x.counts.hunted >= x.counts.tests / 20);
    explore_with_hunt(&x, &writers, true);
    CHECK_INT(x.counts.hunted, 0);
}

/* Before the second has begun, and when it has. */
TEST(the_second_goes_on_where_the_first_gives_up)
{
    static exploration x;
    static scripted s;
    for (uint32_t after = 100; after <= 2000; after += 1900) {
        hd_run *run = open_both(&s, &x, &writers);
        hd_run_listener listener = { &x, exploration_found, exploration_goes_on, exploration_notice,
            exploration_starts_over, NULL };
        turns_seen seen = run_some(run, &x, &listener, after);
        CHECK(!seen.second == (after == 100));
        CHECK(hd_run_give_up(run, "it is enough", &listener));
        CHECK(strstr(x.notice, "it is enough: --explore=dpor continues alone"));
        CHECK_INT(hd_run_go(run, &listener), HD_END_COMPLETE);
        CHECK(!strcmp(hd_run_explorer(run)->name, "dpor"));
        CHECK_INT(x.counts.tests, seen.before + seen.first + MANY);
        CHECK_INT(x.counts.kept.events, 0);
        CHECK(!hd_run_give_up(run, "once more", &listener));
        hd_run_close(run);
        scripted_close(&s);
    }
}

static bool has(const exploration *x, uint64_t key)
{
    for (uint32_t i = 0; i < x->finding_count; i++)
        if (x->findings[i].key == key)
            return true;
    return false;
}

static void check_same_findings(const exploration *x, const exploration *y)
{
    CHECK_INT(x->finding_count, y->finding_count);
    for (uint32_t i = 0; i < x->finding_count; i++)
        CHECK(has(y, x->findings[i].key));
}

/* Two more threads that write what others do, so that there are more executions than the first
 * explorer has by itself. */
static void add_writers(hd_script_program *p)
{
    hd_script_step *main = p->threads[0];
    uint32_t count = 0;
    while (main[count].code)
        count++;
    memmove(main + 2, main, count * sizeof *main);
    for (uint8_t i = 0; i < 2; i++) {
        main[i] = (hd_script_step)CREATE(10 + i);
        main[count + 2 + i] = (hd_script_step)JOIN(10 + i);
        for (uint8_t k = 0; k < 2; k++)
            p->threads[10 + i][k] = (hd_script_step)WRITE(k, 3, i);
    }
}

TEST(both_together_show_what_each_shows)
{
    static exploration both, dpor;
    uint32_t by_second = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        hd_script_program p;
        draw_program(&p, seed, DRAW_ASSERTIONS | (seed % 3 ? 0 : DRAW_INPUTS));
        add_writers(&p);
        memset(&dpor, 0, sizeof dpor);
        explore(&dpor, &p, "dpor", &hd_heap);
        explore_both(&both, &p);
        CHECK_INT(both.end, dpor.end);
        CHECK_INT(both.counts.locals, dpor.counts.locals);
        CHECK_INT(both.counts.local_sum, dpor.counts.local_sum);
        check_same_findings(&both, &dpor);
        by_second += !strcmp(both.ended_by, "dpor");
    }
    CHECK(by_second >= PROGRAMS / 4);
}
