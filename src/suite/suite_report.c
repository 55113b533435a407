#include "suite/suite_report.h"

#include "base/error.h"
#include "base/json.h"
#include "base/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- taking it ---------------------------------------------------------------------------------- */

/* Tests that show a failure. One that ends at a limit of heddle shows none. */
static uint32_t failing(const hd_suite_maker *x)
{
    uint32_t count = 0;
    for (size_t i = 0; i < x->tests.count; i++) {
        const hd_suite_test *t = &x->tests.items[i];
        count += t->fate <= HD_SUITE_KEPT && t->run.found && t->run.kind != HD_FINDING_MODEL_LIMIT;
    }
    return count;
}

/* Failures that exploring found. */
static uint32_t failures(const hd_session *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->keep->found_count; i++)
        count += hd_finding_is_bug(&s->keep->found[i].finding);
    return count;
}

static void take_lines(hd_suite_result *r, const hd_suite_maker *x, hd_arena *arena)
{
    hd_suite_fate_line *lines = hd_arena_alloc(arena, (x->tests.count + 1) * sizeof *lines);
    for (size_t i = 0; i < x->tests.count; i++) {
        const hd_suite_test *t = &x->tests.items[i];
        /* The message is in the region, which is unmapped when the maker is closed. */
        lines[i] =
            (hd_suite_fate_line) { t->number, t->fate, t->run.found ? hd_arena_copy(arena, t->run.message) : NULL };
    }
    r->lines = lines;
    r->line_count = x->tests.count;
}

/* Tests that were there before. */
static uint32_t dropped(const hd_suite_maker *x)
{
    uint32_t count = 0;
    for (size_t i = 0; i < x->tests.count; i++)
        count += x->tests.items[i].fate > HD_SUITE_KEPT && x->tests.items[i].old;
    return count;
}

hd_suite_result hd_suite_result_take(const hd_suite_maker *x, hd_arena *arena)
{
    const hd_session *s = x->session;
    hd_suite_result r = { .explorer = x->config.explorer,
        .bound = x->bound ? hd_arena_copy(arena, x->bound) : NULL,
        .complete = hd_suite_maker_is_complete(x),
        .lost_ways = hd_events_lost_ways(s->events),
        .executions = s->counts.tests,
        .blocked = s->counts.blocked,
        .events = (uint32_t)x->trees.events.count,
        .seen = x->seen,
        .goals = (uint32_t)x->goals.items.count,
        .unreached = x->unreached,
        .cut = x->cut,
        .lost = x->lost,
        .most = x->config.most,
        .kept = hd_suite_maker_count(x, HD_SUITE_KEPT),
        .added = hd_suite_maker_count(x, HD_SUITE_ADDED),
        .dropped = dropped(x),
        .mended = x->mended,
        .lower = x->lower,
        .chosen_early = x->chosen_early,
        .findings = s->keep->found_count,
        .failures = failures(s),
        .failing = failing(x),
        .explore_seconds = x->explore_seconds,
        .choose_seconds = x->choose_seconds };
    r.tests = r.kept + r.added;
    take_lines(&r, x, arena);
    return r;
}

int hd_suite_status(const hd_suite_result *r)
{
    return r->failing || r->failures ? HD_EXIT_FOUND : r->complete ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

/* --- text ----------------------------------------------------------------------------------------- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void hd_suite_print_updates(const hd_suite_result *r, FILE *out)
{
    static const char *const words[] = { [HD_SUITE_ADDED] = "added",
        [HD_SUITE_KEPT] = "kept",
        [HD_SUITE_UNFIT] = "dropped: the program can no longer follow it",
        [HD_SUITE_NEEDLESS] = "dropped: other tests reach all its goals",
        [HD_SUITE_BEYOND] = "dropped: others reach more goals (--max)" };
    for (size_t i = 0; i < r->line_count; i++)
        if (r->lines[i].number)
            fprintf(out, "test %u: %s\n", r->lines[i].number, words[r->lines[i].fate]);
}

static void print_findings(const hd_suite_result *r, FILE *out)
{
    for (size_t i = 0; i < r->line_count; i++) {
        const hd_suite_fate_line *l = &r->lines[i];
        if (l->fate <= HD_SUITE_KEPT && l->finding)
            fprintf(out, "heddle: test %u: %s; 'heddle replay %s --test=%u' shows it\n", l->number, l->finding,
                r->suite, l->number);
    }
}

static void print_size(const hd_suite_result *r, FILE *out)
{
    if (!r->written) {
        fprintf(out, "heddle: the end came before a test had been run: %s was not written\n", r->suite);
        return;
    }
    fprintf(out, "heddle: %u test%s in %s for %u goal%s (%s; %u events in %llu execution%s)", r->tests,
        plural(r->tests), r->suite, r->goals, plural(r->goals), r->cover, r->events, (unsigned long long)r->executions,
        plural(r->executions));
    /* A claim about the size of suites is made only if every goal is reached. */
    if (r->unreached || r->lost)
        fprintf(out, ", %u of which are reached", r->goals - r->unreached - r->lost);
    else if (r->lower == r->tests)
        fprintf(out, ": no suite is smaller");
    else if (r->lower)
        fprintf(out, ": the smallest has from %u to %u", r->lower, r->tests);
    fprintf(out, "\n");
}

/* Goals with the same text differ in what happened before. How many have that of the first? 0: it is not the first. */
static uint32_t count_text(const hd_suite_result *r, uint32_t first)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < r->lost; i++) {
        bool same = !strcmp(r->lost_goals[i], r->lost_goals[first]);
        if (same && i < first)
            return 0;
        times += same;
    }
    return times;
}

static void print_lost(const hd_suite_result *r, FILE *out)
{
    enum { SHOWN = 10 };
    if (!r->lost)
        return;
    fprintf(out, "heddle: --max=%u: %u goal%s in no test:\n", r->most, r->lost, r->lost == 1 ? " is" : "s are");
    uint32_t shown = 0, lines = 0;
    for (uint32_t i = 0; i < r->lost && lines < SHOWN; i++) {
        uint32_t times = count_text(r, i);
        lines += times > 0;
        shown += times;
        if (times > 1)
            fprintf(out, "    %s (%u times)\n", r->lost_goals[i], times);
        else if (times)
            fprintf(out, "    %s\n", r->lost_goals[i]);
    }
    if (r->lost > shown)
        fprintf(out, "    … and %u more: lines 'lost' in %s\n", r->lost - shown, r->suite);
}

void hd_suite_print(const hd_suite_result *r, FILE *out)
{
    print_findings(r, out);
    print_size(r, out);
    print_lost(r, out);
    if (r->chosen_early)
        fprintf(out,
            "heddle: --method=%s did not finish: the time was up, or the problem was too large for the solver\n",
            r->method);
    if (r->lost_ways)
        fprintf(out, "heddle: an execution reached more statements than can be recorded: some may be missing\n");
    if (r->bound && r->events < r->seen)
        fprintf(out, "heddle: not everything was explored (%s): the suite covers the first %u of %u events\n", r->bound,
            r->events, r->seen);
    else if (r->bound)
        fprintf(out, "heddle: not everything was explored (%s): the suite covers what was seen\n", r->bound);
    if (r->failures && !r->failing)
        fprintf(out, "heddle: exploring found %u failure%s that no test shows: 'heddle check' reports %s\n",
            r->failures, plural(r->failures), r->failures == 1 ? "it" : "them");
    if (r->cut && r->written)
        fprintf(out, "heddle: the end came before all tests had been run: %u goal%s in no test that was\n",
            r->unreached, r->unreached == 1 ? " is" : "s are");
    else if (r->unreached && r->written)
        fprintf(out, "heddle: %u goal%s could not be reached again and %s in no test\n", r->unreached,
            plural(r->unreached), r->unreached == 1 ? "is" : "are");
}

/* --- JSON ----------------------------------------------------------------------------------------- */

bool hd_suite_write_json(const hd_suite_result *r, const char *path, hd_error *error)
{
    hd_json j;
    FILE *out = fopen(path, "w");
    if (!out)
        return hd_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    hd_json_text(&j, "program", r->program);
    hd_json_text(&j, "suite", r->suite);
    hd_json_text(&j, "explorer", r->explorer);
    hd_json_text(&j, "net", r->net);
    hd_json_text(&j, "cover", r->cover);
    hd_json_text(&j, "method", r->method);
    hd_json_bool(&j, "complete", r->complete);
    hd_json_text(&j, "bound", r->bound);
    hd_json_int(&j, "executions", (int64_t)r->executions);
    hd_json_int(&j, "blocked", (int64_t)r->blocked);
    hd_json_int(&j, "events", r->events);
    hd_json_int(&j, "goals", r->goals);
    hd_json_int(&j, "unreached", r->unreached);
    hd_json_int(&j, "lost", r->lost);
    hd_json_array(&j, "lost_goals");
    for (uint32_t i = 0; i < r->lost; i++)
        hd_json_text(&j, NULL, r->lost_goals[i]);
    hd_json_end(&j, ']');
    hd_json_int(&j, "mended", r->mended);
    hd_json_int(&j, "tests", r->tests);
    hd_json_int(&j, "lower", r->lower);
    hd_json_bool(&j, "optimal", r->lower == r->tests && !r->unreached && !r->lost);
    hd_json_bool(&j, "finished", !r->chosen_early);
    hd_json_int(&j, "findings", r->findings);
    hd_json_int(&j, "failing", r->failing);
    hd_json_int(&j, "kept", r->kept);
    hd_json_int(&j, "added", r->added);
    hd_json_int(&j, "dropped", r->dropped);
    hd_json_real(&j, "explore_seconds", r->explore_seconds);
    hd_json_real(&j, "choose_seconds", r->choose_seconds);
    hd_json_end(&j, '}');
    bool written = !fflush(out) && !ferror(out);
    written &= !fclose(out);
    return written || hd_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}
