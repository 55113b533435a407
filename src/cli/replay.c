/* heddle replay: repeats a recorded failure in a fresh process, or in gdb. */
#include "base/error.h"
#include "report/junit.h"
#include "report/replayed.h"
#include "report/symbolise.h"
#include "suite/suite_store.h"
#include "supervisor/debug.h"
#include "supervisor/program.h"
#include "supervisor/replay_all.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define HD_VERB replay
#define REPLAY_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "replay [--gdb] FILE | [--gdb] SUITE --test=N | FILE|SUITE…",
    "Runs a program with the inputs and the schedule of a replay file, and shows its output, the interleaving of\n"
    "its threads, and the failure. Exit status: 1 the recorded failure happened again; 0 the schedule was followed\n"
    "and the program ended normally; 3 the schedule no longer fits, or the outcome was a different one.\n"
    "For several files, or all tests of a suite, it says which pass: 1 a test fails, 3 some no longer fit.",
    rows, sizeof rows / sizeof *rows };

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

static int show(const hd_record *record, const char *path, bool whole, hd_arena *arena)
{
    hd_error error = { "" };
    hd_report_finding again = { .confirmed = true, .replay = path };
    hd_replay replay = hd_replay_of(record, arena);
    hd_report_text text = hd_report_text_for(stdout);
    text.whole = whole;
    replay.show_output = true;
    if (!hd_replay_run(&replay, arena, &again.run, &error))
        return fail(error.text);
    again.finding = again.run.finding;
    hd_report_symbolise(&again, record->program, arena);
    return hd_report_replayed(&text, record, &again);
}

static int debug(const hd_record *record, hd_arena *arena)
{
    hd_error error = { "" };
    hd_recorded_run run;
    hd_replay replay = hd_replay_of(record, arena);
    if (!hd_debug_is_possible(arena, &error) || !hd_replay_run(&replay, arena, &run, &error))
        return fail(error.text);
    hd_report_misfit(record, &run, stdout);
    if (!hd_report_is_same_failure(record, &run)) {
        printf(
            "heddle: the recorded failure (%s) did not happen again: there is nothing to stop at\n", record->message);
        return HD_EXIT_BOUND;
    }
    return hd_debug(&replay, &run, arena, &error) ? HD_EXIT_FOUND : fail(error.text);
}

/* Reads one test; the program of a suite may have to be built. Returns an exit status. */
static int read_one(const replay_options *o, const char *path, hd_record *record, hd_arena *arena)
{
    hd_error error = { "" };
    hd_cc_limits limits = { .ending = hd_ending_open() };
    bool fine = o->test ? hd_suite_store_test(path, (uint32_t)o->test, record, &limits, arena, &error)
                        : hd_replay_read(record, path, arena, &error);
    int status = fine && hd_replay_check(record, &error) ? HD_EXIT_CLEAN : fail(error.text);
    hd_ending_close(limits.ending);
    return limits.met ? HD_EXIT_BOUND : status;
}

static int replay_one(const replay_options *o, const char *path, hd_arena *arena)
{
    hd_record record;
    const char *name = o->test ? hd_arena_print(arena, "%s --test=%ld", path, o->test) : path;
    int status = read_one(o, path, &record, arena);
    if (status != HD_EXIT_CLEAN)
        return status;
    return o->gdb ? debug(&record, arena) : show(&record, name, !strcmp(o->table, "full"), arena);
}

/* --- many tests ----------------------------------------------------------------------------------- */

static int run_tests(const hd_suite_tests *t, const replay_options *o, hd_ending *ending, hd_arena *arena)
{
    hd_error error = { "" };
    hd_report_case *cases = hd_arena_alloc(arena, (t->count + 1) * sizeof *cases);
    if (!hd_replay_all(t->records, t->count, t->names, cases, ending, arena, &error))
        return fail(error.text);
    int status = o->tap ? hd_report_tap(cases, t->count, stdout) : hd_report_cases(cases, t->count, stdout);
    return o->junit && !hd_report_junit(t->suite, cases, t->count, o->junit, &error) ? fail(error.text) : status;
}

static int replay_several(const replay_options *o, char **paths, size_t count, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_tests tests;
    hd_cc_limits limits = { .ending = hd_ending_open() };
    int status = !hd_suite_store_tests(paths, count, &tests, &limits, arena, &error) ? fail(error.text)
        : tests.count ? run_tests(&tests, o, limits.ending, arena)
                      : fail("there is no test among these");
    hd_ending_close(limits.ending);
    return limits.met ? HD_EXIT_BOUND : status;
}

/* A suite, or a folder with replay files and suites. */
static int replay_whole(const replay_options *o, hd_arena *arena)
{
    hd_error error = { "" };
    struct stat status;
    char *one[] = { (char *)o->all }, **paths = one;
    size_t count = 1;
    bool is_folder = !hd_suite_file_is_one(o->all) && !stat(o->all, &status) && S_ISDIR(status.st_mode);
    if (is_folder && !hd_suite_store_folder(o->all, &paths, &count, arena, &error))
        return fail(error.text);
    return replay_several(o, paths, count, arena);
}

/* What is wrong with the words of the command; NULL: nothing. */
static const char *objection(const replay_options *o, char **paths, int count, bool one)
{
    if (o->all ? count : !count)
        return o->all ? "--all runs a suite or a folder and takes no other files"
                      : "no replay file given; 'heddle check' prints its name";
    if (o->test && (o->all || count > 1 || !hd_suite_file_is_one(paths[0])))
        return "--test is for one suite: 'heddle replay SUITE --test=N'";
    if (o->gdb && !one)
        return "--gdb is for one test at a time: a replay file, or a suite with --test=N";
    return o->junit && one ? "--junit is for suites, folders, or several files"
        : o->tap && one    ? "--tap is for suites, folders, or several files"
                           : NULL;
}

int hd_cli_verb_replay(int argc, char **argv);

int hd_cli_verb_replay(int argc, char **argv)
{
    replay_options o = defaults;
    hd_error error = { "" };
    hd_arena arena;
    int count, dashes;
    if (hd_cli_asks_help(&usage, argc, argv))
        return HD_EXIT_CLEAN;
    if (!hd_cli_parse(&usage, argc, argv, &o, &count, &dashes, &error))
        return fail(error.text);
    bool one = !o.all && count == 1 && (o.test || !hd_suite_file_is_one(argv[0]));
    const char *wrong = objection(&o, argv, count, one);
    if (wrong)
        return fail(wrong);
    if (!hd_cli_in_range("test", o.test, 0, UINT32_MAX, &error)
        || !hd_cli_one_of("table", o.table, "slice", "full", &error))
        return fail(error.text);
    hd_arena_init(&arena, &hd_heap);
    hd_program_trust((hd_word_list) { o.trust.items, o.trust.count }, &arena);
    int status = one ? replay_one(&o, argv[0], &arena)
        : o.all      ? replay_whole(&o, &arena)
                     : replay_several(&o, argv, (size_t)count, &arena);
    hd_arena_fini(&arena);
    return fflush(stdout) ? fail("standard output cannot be written") : status;
}
