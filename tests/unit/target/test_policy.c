/* Who goes on: prefixes, sleepers, tails, records. */
#include "target/policy.h"
#include "unit/scripted.h"
#include "unit/test.h"

static const hd_script_program two_writers = { .threads = {
                                                   MAIN_OF_2,
                                                   { WRITE(0, 1, 1), WRITE(1, 1, 1) },
                                                   { WRITE(0, 1, 2), WRITE(2, 1, 1) },
                                               } };

static scripted x;

/* The threads of the steps, as digits. */
static const char *order(const hd_execution *e)
{
    static char text[64];
    size_t count = 0;
    for (uint32_t i = 0; i < e->log_count && count < sizeof text - 1; i++)
        if (e->log[i].kind != HD_EDGE && !(e->log[i].flags & (HD_OP_WITHDRAWN | HD_OP_CONTINUES)))
            text[count++] = (char)('0' + e->log[i].thread);
    text[count] = '\0';
    return text;
}

static hd_execution run(const hd_script_program *p, const hd_plan *plan)
{
    scripted_open(&x, p, &hd_heap);
    return hd_target_run(&x.target, plan);
}

TEST(a_prefix_is_followed_and_then_the_same_thread_goes_on)
{
    hd_choice prefix[] = { { 2, 0 }, { 1, 0 } };
    hd_execution e = run(&two_writers, &(hd_plan) { .prefix = prefix, .prefix_count = 2 });
    CHECK_TEXT(order(&e), "2112");
    CHECK_INT(e.outcome->kind, HD_FINISHED);
    scripted_close(&x);
}

static int always(uint32_t thread)
{
    (void)thread;
    return 1;
}

TEST(steps_that_the_runtime_takes_by_itself_belong_to_streaks)
{
    hd_choice prefix[] = { { 1, 0 }, { 2, 0 }, { 2, 0 }, { 2, 0 }, { 2, 0 } };
    hd_thread_view threads[3] = { [1].status = HD_THREAD_AT_OP, [2].status = HD_THREAD_AT_OP };
    uint32_t count = 3;
    hd_run_options options = { 0 };
    hd_runtime runtime = { .threads = threads, .thread_count = &count, .options = &options, .enabled = always };
    hd_target t;
    hd_target_init(&t, &runtime, &hd_heap);
    hd_policy_start(&t, &(hd_plan) { .prefix = prefix, .prefix_count = 5 });
    t.engine.followed = 3;
    CHECK_INT(hd_policy_pick(&t), 2);
    CHECK_INT(t.streak, 2); /* the first step of a streak is number 0 */
    t.engine.followed = 5;
    CHECK_INT(hd_policy_pick(&t), 2); /* by the tail */
    CHECK_INT(t.streak, 4);
    t.engine.followed = 6; /* nothing new */
    CHECK_INT(hd_policy_pick(&t), 2);
    CHECK_INT(t.streak, 5);
    hd_target_fini(&t);
}

TEST(a_prefix_that_does_not_fit_is_told_or_forgiven)
{
    hd_choice prefix[] = { { 1, 0 }, { 5, 0 }, { 2, 0 } };
    hd_plan plan = { .prefix = prefix, .prefix_count = 3 };
    hd_execution e = run(&two_writers, &plan);
    CHECK_INT(e.outcome->kind, HD_DIVERGED);
    scripted_close(&x);
    plan.forgiving = true;
    e = run(&two_writers, &plan);
    CHECK_TEXT(order(&e), "1221");
    CHECK_INT(x.target.misfit, 1);
    scripted_close(&x);
}

TEST(sleepers_wait_for_a_conflict)
{
    hd_op write = { .kind = HD_WRITE, .object = 0x1000, .mask = 1, .thread = 1 };
    hd_sleeper asleep = { 1, 0, &write, 1 };
    hd_choice second = { 2, 0 };
    hd_plan plan = { .prefix = &second, .prefix_count = 1, .sleepers = &asleep, .sleeper_count = 1 };
    hd_execution e = run(&two_writers, &plan);
    CHECK_TEXT(order(&e), "2211");
    scripted_close(&x);
    write.mask = 2; /* nothing conflicts with it */
    e = run(&two_writers, &plan);
    CHECK_TEXT(order(&e), "2");
    CHECK_INT(e.outcome->kind, HD_CUT);
    scripted_close(&x);
}

TEST(a_step_that_is_asleep_with_its_outcome_is_cut)
{
    hd_script_program p = { .threads = { MAIN_OF_2, { CHOOSE(2) }, { CHOOSE(2) } } };
    hd_op choose = { .kind = HD_CHOOSE, .thread = 1 };
    hd_sleeper asleep = { 1, 1, &choose, 1 };
    hd_choice second = { 1, 1 };
    hd_plan plan = { .prefix = &second, .prefix_count = 1, .sleepers = &asleep, .sleeper_count = 1 };
    CHECK_INT(run(&p, &plan).outcome->kind, HD_CUT);
    scripted_close(&x);
    asleep.choice = 0;
    hd_execution e = run(&p, &plan);
    CHECK_INT(e.outcome->kind, HD_FINISHED);
    CHECK_INT(e.log[2].choice, 1);
    scripted_close(&x);
}

static void check_reproducible(hd_tail tail)
{
    bool differs = false;
    char first[64] = "";
    for (uint64_t seed = 1; seed <= 50; seed++) {
        hd_plan plan = { .tail = tail, .seed = seed, .pct_depth = 2, .pct_length = 4 };
        char once[64];
        hd_execution e = run(&two_writers, &plan);
        strcpy(once, order(&e));
        scripted_close(&x);
        e = run(&two_writers, &plan);
        CHECK_TEXT(order(&e), once);
        scripted_close(&x);
        differs |= *first && strcmp(first, once);
        strcpy(first, once);
    }
    CHECK(differs);
}

TEST(random_tails_depend_on_their_seed_alone)
{
    check_reproducible(HD_TAIL_RANDOM);
    check_reproducible(HD_TAIL_PCT);
    check_reproducible(HD_TAIL_POS);
    check_reproducible(HD_TAIL_SURW);
}

/* With depth 1 priorities never change: no thread is left while it can go on. */
TEST(pct_changes_threads_only_where_priorities_change)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        hd_execution e =
            run(&two_writers, &(hd_plan) { .tail = HD_TAIL_PCT, .seed = seed, .pct_depth = 1, .pct_length = 4 });
        CHECK(!strcmp(order(&e), "1122") || !strcmp(order(&e), "2211"));
        scripted_close(&x);
    }
}

TEST(a_record_is_followed_by_place_as_far_as_it_fits)
{
    hd_step_record records[] = { { 2, 0, HD_WRITE, "script", 200, 2 }, { 1, 0, HD_WRITE, "script", 100, 1 },
        { 1, 0, HD_WRITE, "elsewhere", 7, 1 }, { 2, 0, HD_WRITE, "script", 201, 2 } };
    hd_execution e = run(&two_writers, &(hd_plan) { .records = records, .record_count = 2 });
    CHECK_TEXT(order(&e), "2112");
    CHECK_INT(x.target.misfit, ~0u);
    scripted_close(&x);
    e = run(&two_writers, &(hd_plan) { .records = records, .record_count = 4 });
    CHECK_INT(x.target.misfit, 2);
    CHECK_INT(e.outcome->kind, HD_FINISHED);
    scripted_close(&x);
}
