#include "suite/suite_maker.h"

#include "base/clock.h"
#include "base/error.h"
#include "abi/valid.h"
#include "suite/best.h"
#include "suite/bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MENDING_ROUNDS = 8 };

static const double seconds_for_choosing = 60;

bool hd_suite_maker_open(hd_suite_maker *x, const hd_suite_maker_config *config, const hd_program *program,
    hd_progress *progress, hd_ending *ending, hd_error *error)
{
    hd_supervisor_options options = { .program = program->path,
        .arguments = program->arguments,
        .symbolic = program->symbolic,
        .ending = ending,
        .tick = hd_progress_tick,
        .context = progress };
    *x = (hd_suite_maker) { .config = *config, .program = program, .progress = progress, .ending = ending };
    x->supervisor = hd_supervisor_open(&options, error);
    if (!x->supervisor)
        return false;
    x->session = hd_supervisor_session(x->supervisor);
    return true;
}

static void forget_problem(hd_suite_maker *x)
{
    hd_suite_goals_fini(&x->goals);
    hd_suite_problem_fini(&x->problem);
    hd_trees_fini(&x->trees);
}

void hd_suite_maker_close(hd_suite_maker *x)
{
    for (size_t i = 0; i < x->tests.count; i++)
        hd_vec_fini(&x->tests.items[i].goals);
    hd_vec_fini(&x->tests);
    if (x->inputs)
        hd_solver_close(x->inputs);
    if (x->has_problem) {
        hd_release(&hd_heap, x->goal_starts, (x->mark_count + 2) * sizeof *x->goal_starts);
        hd_release(&hd_heap, x->goals_by_mark, (x->goals.marks.count + 1) * sizeof *x->goals_by_mark);
        hd_release(&hd_heap, x->reached, x->goals.items.count + 1);
        forget_problem(x);
    }
    hd_supervisor_close(x->supervisor);
}

/* --- exploring ------------------------------------------------------------------------------ */

/* Builds the index from marks to goals, by counting sort. */
static void index_goals(hd_suite_maker *x)
{
    const hd_suite_goals *all = &x->goals;
    bool events = x->config.cover == HD_SUITE_EVENTS;
    x->mark_count = events ? (uint32_t)x->trees.events.count : hd_events_way_count(x->session->events);
    x->goal_starts = hd_alloc(&hd_heap, (x->mark_count + 2) * sizeof *x->goal_starts);
    x->goals_by_mark = hd_alloc(&hd_heap, (all->marks.count + 1) * sizeof *x->goals_by_mark);
    x->reached = hd_alloc(&hd_heap, all->items.count + 1);
    for (size_t g = 0; g < all->items.count; g++)
        for (uint32_t m = 0; m < all->items.items[g].mark_count; m++)
            x->goal_starts[all->marks.items[all->items.items[g].mark + m] + 2]++;
    for (uint32_t e = 0; e < x->mark_count; e++)
        x->goal_starts[e + 2] += x->goal_starts[e + 1];
    for (uint32_t g = 0; g < all->items.count; g++)
        for (uint32_t m = 0; m < all->items.items[g].mark_count; m++)
            x->goals_by_mark[x->goal_starts[all->marks.items[all->items.items[g].mark + m] + 1]++] = g;
}

/* --- inputs ------------------------------------------------------------------------------------ */

enum { MILLISECONDS_PER_QUERY = 2000, FEW_BITS = 8 };

/* Finds values of all inputs for which these events happen. False: there are none, or the solver
 * had no answer. */
static bool find_inputs(hd_suite_maker *x, const uint32_t *events, uint32_t count, hd_values *values)
{
    hd_vec(hd_term) conditions = { 0 };
    hd_vec_clear(values);
    hd_term_fill_values(hd_events_terms(x->session->events), values, hd_events_terms(x->session->events)->inputs.count);
    for (uint32_t i = 0; i < count; i++) {
        hd_term condition = hd_events_constraint(x->session->events, events[i]);
        if (condition)
            hd_vec_push(&conditions, condition);
    }
    hd_answer answer =
        conditions.count ? hd_solver_solve(x->inputs, NULL, 0, conditions.items, conditions.count, values) : HD_SAT;
    x->unsure |= answer == HD_UNKNOWN;
    hd_vec_fini(&conditions);
    return answer == HD_SAT;
}

static bool satisfiable(void *context, const uint32_t *events, uint32_t count)
{
    hd_values values = { 0 };
    bool found = find_inputs(context, events, count, &values);
    hd_vec_fini(&values);
    return found;
}

static void open_inputs(hd_suite_maker *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->trees.events.count; i++)
        any |= x->trees.events.items[i].branches;
    if (!any)
        return;
    hd_solver_config config = {
        .backend = HD_BACKEND_Z3, .milliseconds = MILLISECONDS_PER_QUERY, .few_bits = FEW_BITS
    };
    snprintf(config.path, sizeof config.path, "%s", x->config.inputs_solver);
    x->inputs = hd_solver_open(hd_events_terms(x->session->events), &config, &hd_heap);
    x->trees.satisfiable = satisfiable;
    x->trees.context = x;
}

/* Sets the inputs of a test that has these events. */
static void give_inputs(hd_suite_maker *x, hd_suite_test *test, const uint32_t *events, uint32_t count)
{
    const hd_terms *terms = hd_events_terms(x->session->events);
    hd_values values = { 0 };
    if (x->inputs && find_inputs(x, events, count, &values)) {
        hd_given *given = hd_alloc(&x->session->region.memory, (terms->inputs.count + 1) * sizeof *given);
        for (size_t i = 0; i < terms->inputs.count; i++)
            given[i] = hd_term_given(terms, (uint32_t)i, &values);
        test->run.given = given;
        test->run.given_count = (uint32_t)terms->inputs.count;
    }
    hd_vec_fini(&values);
}

/* If a signal has come, the suite covers so many of the first events that it is made within the second. An event's
 * causes have smaller numbers, so these events can be reached without others. */
static uint32_t count_in_time(hd_suite_maker *x)
{
    enum { MOST_AT_THE_END = 20000 };
    bool ends = hd_ending_is_due(x->ending, 0);
    return ends && x->seen > MOST_AT_THE_END ? MOST_AT_THE_END : x->seen;
}

/* Makes trees and goals of the events. With millions of events that takes seconds: if a signal comes meanwhile, it is
 * done once more with those that are in time. */
static void build(hd_suite_maker *x)
{
    x->seen = hd_events_count(x->session->events);
    hd_ending_set_time(x->ending, 0); /* choosing has a time of its own */
    while (!x->has_problem) {
        uint32_t count = count_in_time(x);
        hd_trees_init(&x->trees, x->session->events, count);
        hd_suite_build(&x->problem, &x->goals, &x->trees, x->session->events, x->config.cover);
        x->has_problem = count_in_time(x) == count;
        if (!x->has_problem)
            forget_problem(x);
    }
    if (x->trees.events.count < x->seen && !x->bound)
        x->bound = "interrupted";
}

bool hd_suite_maker_explore(hd_suite_maker *x, hd_error *error)
{
    hd_session_config *c = &x->session->config;
    double start = hd_now();
    *c = (hd_session_config) { .mode = HD_MODE_EXPLORE,
        .seconds = x->config.seconds,
        .memory = x->config.memory,
        .settings = x->config.settings,
        .solver_time = MILLISECONDS_PER_QUERY,
        .cover = x->config.cover != HD_SUITE_EVENTS,
        .record_events = true,
        .facts = x->config.facts,
        .net = x->config.net };
    snprintf(c->explorer, sizeof c->explorer, "%s", x->config.explorer);
    hd_ending_set_time(x->ending, x->config.seconds);
    if (!hd_supervisor_run(x->supervisor, error))
        return false;
    hd_region_attach(&x->session->region);
    if (!x->session->events)
        return hd_fail(error, "nothing was explored before the end: there is no test to write");
    x->explore_seconds = hd_now() - start;
    hd_progress_clear(x->progress);
    x->bound = hd_session_bound(x->session);
    /* A program without cover hooks would have no goals at all. */
    if (c->cover && x->session->counts.tests && !hd_events_way_count(x->session->events))
        return hd_fail(error,
            "%s: was built without -fheddle-cover, so it does not tell its statements and branches; build it with "
            "'heddle cc -fheddle-cover', or name its C files",
            x->program->path);
    build(x);
    open_inputs(x);
    index_goals(x);
    return true;
}

/* --- running tests ---------------------------------------------------------------------------- */

/* Runs tests as a batch; their results stay in the region. */
static bool run(hd_suite_maker *x, hd_suite_test *tests, size_t count, hd_error *error)
{
    hd_session *s = x->session;
    if (hd_ending_is_due(x->ending, HD_LATE_RUNNING))
        return x->cut = true; /* there is no time to start a process */
    hd_batch_test *batch = hd_alloc(&s->region.memory, (count + 1) * sizeof *batch);
    for (size_t i = 0; i < count; i++)
        batch[i] = tests[i].run;
    s->config.mode = HD_MODE_BATCH;
    s->config.settings.fork |= s->target.fork;
    s->config.settings.real_files |= s->target.real_files;
    /* Tests run with all that exploring learned. */
    s->config.facts = s->facts;
    s->batch = (hd_batch) { batch, (uint32_t)count, 0 };
    s->ended = false;
    s->stop = 0;
    s->phase = HD_PHASE_NEW;
    bool ran = hd_supervisor_run(x->supervisor, error);
    hd_region_attach(&s->region);
    for (size_t i = 0; i < count && ran; i++) {
        tests[i].run = batch[i];
        x->cut |= !batch[i].ran && !batch[i].died;
    }
    return ran;
}

static bool has_goal(const hd_suite_test *test, uint32_t goal)
{
    for (size_t i = 0; i < test->goals.count; i++)
        if (test->goals.items[i] == goal)
            return true;
    return false;
}

static void note_goals(hd_suite_maker *x, hd_suite_test *test)
{
    hd_vec_clear(&test->goals);
    for (uint32_t i = 0; i < test->run.mark_count; i++) {
        uint32_t mark = test->run.marks[i], known = mark < x->mark_count;
        for (uint32_t k = known ? x->goal_starts[mark] : 0; known && k < x->goal_starts[mark + 1]; k++)
            if (!has_goal(test, x->goals_by_mark[k]))
                hd_vec_push(&test->goals, x->goals_by_mark[k]);
    }
}

/* Did the test run as recorded? */
static bool works(const hd_suite_test *test)
{
    const hd_batch_test *r = &test->run;
    return r->ran && !r->died && r->misfit == ~0u && hd_outcome_is_test(r->outcome);
}

/* Marks the goals of the test as reached; returns whether one of them is new. */
static bool reaches_more(hd_suite_maker *x, const hd_suite_test *test)
{
    bool more = false;
    for (size_t i = 0; i < test->goals.count; i++) {
        more |= !x->reached[test->goals.items[i]];
        x->reached[test->goals.items[i]] = true;
    }
    return more;
}

bool hd_suite_maker_keep(hd_suite_maker *x, hd_suite_test *tests, size_t count, hd_error *error)
{
    hd_ending_set_time(x->ending, x->config.seconds);
    if (!run(x, tests, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        hd_suite_test *test = &tests[i];
        bool fits = works(test), not_run = !test->run.ran && !test->run.died;
        if (fits)
            note_goals(x, test);
        test->fate = not_run        ? HD_SUITE_KEPT
            : !fits                 ? HD_SUITE_UNFIT
            : reaches_more(x, test) ? HD_SUITE_KEPT
                                    : HD_SUITE_NEEDLESS;
        hd_vec_push(&x->tests, *test);
    }
    return true;
}

/* --- choosing ------------------------------------------------------------------------------------ */

static bool goes_on(void *context)
{
    hd_suite_maker *x = context;
    double now = hd_now();
    /* The method may call this very often. */
    if (now - x->last_look > 0.1) {
        x->session->stop |= hd_ending_is_due(x->ending, HD_LATE_CHOOSING);
        x->last_look = now;
    }
    return !x->session->stop && now < x->deadline;
}

static void show_bounds(void *context, uint32_t lower, uint32_t upper)
{
    char text[64];
    hd_suite_maker *x = context;
    double now = hd_now();
    x->lower = lower > x->lower ? lower : x->lower;
    x->shown_upper = upper ? upper : x->shown_upper;
    if (now - x->last_shown < 1)
        return;
    x->last_shown = now;
    snprintf(text, sizeof text, "choosing: from %u to %u tests", x->lower, x->shown_upper);
    if (!hd_progress_show(x->progress, text) && x->shown_upper)
        printf("heddle: %s\n", text);
    fflush(stderr);
    fflush(stdout);
}

/* Is there time to prepare more tests? Looks at every 64th of them. */
static bool goes_on_with(hd_suite_maker *x, size_t prepared)
{
    enum { LOOK_EVERY = 64 };
    return prepared % LOOK_EVERY || !hd_ending_is_due(x->ending, HD_LATE_PREPARING);
}

/* The problem restricted to goals that are not reached yet. */
static void leave_out_reached(hd_suite_maker *x, hd_suite_problem *rest)
{
    size_t kept = 0;
    *rest = x->problem;
    rest->goals.items = hd_alloc(&hd_heap, (x->problem.goals.count + 1) * sizeof *rest->goals.items);
    for (size_t g = 0; g < x->problem.goals.count; g++)
        if (!x->reached[x->problem.goals.items[g].number])
            rest->goals.items[kept++] = x->problem.goals.items[g];
    rest->goals.count = kept;
}

static hd_suite_test test_of(hd_suite_maker *x, hd_configuration_space *space, const hd_configuration *cone)
{
    const uint32_t *events;
    uint32_t count, steps = 0;
    hd_suite_test test = { .fate = HD_SUITE_ADDED };
    hd_event row = { 0 };
    /* A chosen configuration has no cycle. */
    hd_assert(hd_configuration_linearise(space, cone, &events, &count));
    hd_choice *schedule = hd_alloc(&x->session->region.memory, (count + 1) * sizeof *schedule);
    for (uint32_t i = 0; i < count; i++) {
        hd_events_read(x->session->events, events[i], &row);
        /* Branches follow from the inputs, and operations of the option `alone` are no decisions. */
        if (!row.is_branch && !row.is_alone)
            schedule[steps++] = (hd_choice) { row.thread, row.ops.items[0].choice };
    }
    hd_event_fini(&row);
    give_inputs(x, &test, events, count);
    test.run.schedule = schedule;
    test.run.schedule_count = steps;
    return test;
}

/* Runs the tests and keeps the working ones that reach a new goal. */
static bool confirm(hd_suite_maker *x, hd_suite_test *tests, size_t count, hd_error *error)
{
    if (!run(x, tests, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool fine = works(&tests[i]);
        x->mended += !fine && (tests[i].run.ran || tests[i].run.died);
        if (fine)
            note_goals(x, &tests[i]);
        if (fine && (reaches_more(x, &tests[i]) || !x->goals.items.count))
            hd_vec_push(&x->tests, tests[i]);
        else
            hd_vec_fini(&tests[i].goals);
    }
    return true;
}

static void join_event(hd_configuration_space *space, uint32_t event, hd_configuration *cone)
{
    hd_configuration past = { 0 };
    hd_configuration_of(space, event, &past);
    hd_configuration_join(cone, &past);
    hd_vec_fini(&past);
}

/* The events that lead to a mark, as in the execution that showed it first. */
static void lead_to(hd_suite_maker *x, hd_configuration_space *space, uint32_t mark, hd_configuration *cone)
{
    hd_vec_clear(cone);
    if (x->config.cover == HD_SUITE_EVENTS) {
        join_event(space, mark, cone);
        return;
    }
    hd_event_way way = hd_events_way(x->session->events, mark);
    if (way.event != HD_NO_EVENT)
        join_event(space, way.event, cone);
    for (uint32_t i = 0; i < way.wait_count; i++)
        join_event(space, way.waits[i], cone);
}

/* Makes tests of their own for goals that the chosen tests missed, one mark after the other. */
static bool mend(hd_suite_maker *x, hd_configuration_space *space, hd_error *error)
{
    bool fine = true;
    for (uint32_t round = 0; round < MENDING_ROUNDS && fine && !x->cut; round++) {
        hd_vec(hd_suite_test) tests = { 0 };
        hd_configuration cone = { 0 };
        for (size_t g = 0; g < x->goals.items.count && !x->cut; g++) {
            const hd_suite_goal *goal = &x->goals.items.items[g];
            if (x->reached[g] || round >= goal->mark_count)
                continue;
            lead_to(x, space, x->goals.marks.items[goal->mark + round], &cone);
            hd_vec_push(&tests, test_of(x, space, &cone));
            x->cut = !goes_on_with(x, tests.count);
        }
        fine = !tests.count || confirm(x, tests.items, tests.count, error);
        hd_vec_fini(&tests);
        hd_vec_fini(&cone);
    }
    return fine;
}

/* Of tests that were there before it is said that they are dropped; new ones are not mentioned. */
static void forget_needless(hd_suite_maker *x)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->tests.count; i++) {
        hd_suite_test *test = &x->tests.items[i];
        if (test->old || test->fate <= HD_SUITE_KEPT)
            x->tests.items[kept++] = *test;
        else
            hd_vec_fini(&test->goals);
    }
    x->tests.count = kept;
}

/* Removes tests whose goals are all reached by others, the last ones first. */
static void reduce(hd_suite_maker *x)
{
    uint32_t *times = hd_alloc(&hd_heap, (x->goals.items.count + 1) * sizeof *times);
    for (size_t i = 0; i < x->tests.count; i++)
        for (size_t k = 0; k < x->tests.items[i].goals.count && x->tests.items[i].fate <= HD_SUITE_KEPT; k++)
            times[x->tests.items[i].goals.items[k]]++;
    for (size_t i = x->tests.count; i-- > 0;) {
        hd_suite_test *test = &x->tests.items[i];
        /* A program without goals has one test, which stays. */
        bool needed = !test->goals.count;
        for (size_t k = 0; k < test->goals.count && !needed; k++)
            needed = times[test->goals.items[k]] == 1;
        if (test->fate > HD_SUITE_KEPT || needed)
            continue;
        for (size_t k = 0; k < test->goals.count; k++)
            times[test->goals.items[k]]--;
        test->fate = HD_SUITE_NEEDLESS;
    }
    hd_release(&hd_heap, times, (x->goals.items.count + 1) * sizeof *times);
    forget_needless(x);
}

/* If existing tests reach some goals, the method's bound is only about the rest: compute one for all goals. */
static void bound_whole(hd_suite_maker *x, hd_configuration_space *space, const hd_suite_cover_watch *watch)
{
    hd_suite_goal_groups goals;
    hd_suite_clique clique = { 0 };
    hd_suite_goal_groups_init(&goals, &x->problem, space);
    uint32_t lower = hd_suite_bounds_lower(space, &goals, watch, &clique);
    x->lower = lower > x->lower ? lower : x->lower;
    hd_vec_fini(&clique);
    hd_suite_goal_groups_fini(&goals);
}

/* Chooses tests by the configured method, as schedules; at least one. */
static hd_suite_test *choose(hd_suite_maker *x, hd_configuration_space *space, size_t *count)
{
    hd_suite_problem rest;
    hd_suite_cover cover = { 0 };
    hd_suite_cover_watch watch = { x, goes_on, show_bounds, x->config.solver };
    double start = hd_now();
    x->last_shown = start;
    x->deadline = start + (x->config.seconds > 0 ? x->config.seconds : seconds_for_choosing);
    x->session->stop = 0;
    hd_ending_set_time(x->ending, 0);
    leave_out_reached(x, &rest);
    x->config.method(&rest, &watch, &cover);
    hd_check_valid(hd_suite_cover_is_valid(&rest, &cover), 1, 0);
    x->choose_seconds = hd_now() - start;
    x->chosen_early = cover.stopped;
    /* Bounds only ever rise. */
    x->lower = cover.lower > x->lower ? cover.lower : x->lower;
    if (rest.goals.count < x->problem.goals.count)
        bound_whole(x, space, &watch);
    if (!cover.tests.count && !x->problem.goals.count)
        hd_vec_push(&cover.tests, ((hd_configuration) { 0 }));
    hd_suite_test *tests = hd_alloc(&hd_heap, (cover.tests.count + 1) * sizeof *tests);
    for (*count = 0; *count < cover.tests.count && !x->cut; ++*count) {
        tests[*count] = test_of(x, space, &cover.tests.items[*count]);
        x->cut = !goes_on_with(x, *count);
    }
    hd_release(&hd_heap, rest.goals.items, (x->problem.goals.count + 1) * sizeof *rest.goals.items);
    hd_suite_cover_fini(&cover);
    return tests;
}

/* A lower bound is claimed only if everything that can reach a goal is known. Then no suite that
 * reaches all goals is smaller, and neither is this one. */
static void settle_bound(hd_suite_maker *x)
{
    bool known = !x->unsure && !x->bound && !hd_events_lost_ways(x->session->events) && !x->cut;
    x->lower = !known ? 0 : x->lower ? x->lower : 1;
    uint32_t size = hd_suite_maker_count(x, HD_SUITE_ADDED) + hd_suite_maker_count(x, HD_SUITE_KEPT);
    hd_assert(x->unreached || x->lost || x->lower <= size);
}

bool hd_suite_maker_add(hd_suite_maker *x, hd_error *error)
{
    size_t count;
    hd_configuration_space *space = hd_configuration_space_open(&x->trees);
    hd_suite_test *tests = choose(x, space, &count);
    hd_ending_set_time(x->ending, x->config.seconds); /* of running them */
    bool fine = (!count || confirm(x, tests, count, error)) && mend(x, space, error);
    hd_release(&hd_heap, tests, (count + 1) * sizeof *tests);
    hd_configuration_space_close(space);
    hd_progress_clear(x->progress);
    if (!fine)
        return false;
    reduce(x);
    for (size_t g = 0; g < x->goals.items.count; g++)
        x->unreached += !x->reached[g];
    if (x->config.most)
        x->lost = hd_suite_best(x, x->config.most);
    settle_bound(x);
    return true;
}

uint32_t hd_suite_maker_count(const hd_suite_maker *x, hd_suite_fate fate)
{
    uint32_t count = 0;
    for (size_t i = 0; i < x->tests.count; i++)
        count += x->tests.items[i].fate == fate;
    return count;
}

bool hd_suite_maker_is_complete(const hd_suite_maker *x)
{
    return x->session->end == HD_END_COMPLETE && !x->bound && !x->unreached && !x->lost && !x->cut
        && !hd_events_lost_ways(x->session->events);
}
