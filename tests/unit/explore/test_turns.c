/* Two explorers that take turns: together they show what each shows by itself, and
 * whoever needs less ends it. */
#include "unit/scripted.h"
#include "unit/test.h"

enum {
    PROGRAMS = 24,
    AHEAD = 256 /* executions of the first by itself */,
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

/* Five pairs of threads that have nothing to do with each other: each has 924 orders, more than the first has
 * executions by itself. */
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
    CHECK(alone.counts.tests > AHEAD);
    CHECK_INT(x.counts.tests, alone.counts.tests);
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

/* Before the second has begun, and when it has. */
TEST(the_second_goes_on_where_the_first_gives_up)
{
    static exploration x;
    static scripted s;
    for (uint32_t after = 100; after <= 1000; after += 900) {
        hd_run *run = open_both(&s, &x, &writers);
        hd_run_listener listener = { &x, exploration_found, exploration_goes_on, exploration_notice,
            exploration_starts_over, NULL };
        x.limit = after;
        CHECK_INT(hd_run_go(run, &listener), HD_END_STOPPED);
        x.limit = 0;
        CHECK(hd_run_give_up(run, "it is enough", &listener));
        CHECK(strstr(x.notice, "it is enough: --explore=dpor continues alone"));
        CHECK_INT(hd_run_go(run, &listener), HD_END_COMPLETE);
        CHECK(!strcmp(hd_run_explorer(run)->name, "dpor"));
        CHECK_INT(x.counts.tests, (after < AHEAD ? after : AHEAD) + MANY);
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
