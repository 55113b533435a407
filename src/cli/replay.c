/* heddle replay: repeats a recorded failure in a fresh process, or in gdb. */
#include "base/error.h"
#include "report/junit.h"
#include "report/replayed.h"
#include "report/symbolise.h"
#include "suite/suite_folder.h"
#include "supervisor/debug.h"
#include "supervisor/program.h"
#include "supervisor/replay_all.h"

#include <stdio.h>

#define HD_VERB replay
#define REPLAY_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "replay [--gdb] FILE | FILE… | --all=DIR",
    "Runs a program with the inputs and the schedule of a replay file, and shows its output, the interleaving of\n"
    "its threads, and the failure. Exit status: 1 the recorded failure happened again; 0 the schedule was followed\n"
    "and the program ended normally; 3 the schedule no longer fits, or the outcome was a different one.\n"
    "For several files, or all tests of a folder, it says which pass: 1 a test fails, 3 some no longer fit.",
    rows, sizeof rows / sizeof *rows };

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

static int show(const hd_record *record, const char *path, hd_arena *arena)
{
    hd_error error = { "" };
    hd_report_finding again = { .confirmed = true, .replay = path };
    hd_replay replay = hd_replay_of(record, arena);
    hd_report_text text = hd_report_text_for(stdout);
    text.whole = true;
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

static int replay_one(const replay_options *o, const char *path, hd_arena *arena)
{
    hd_error error = { "" };
    hd_record record;
    if (!hd_replay_read(&record, path, arena, &error) || !hd_program_check(record.program, &error))
        return fail(error.text);
    return o->gdb ? debug(&record, arena) : show(&record, path, arena);
}

/* --- many tests ----------------------------------------------------------------------------------- */

static int run_tests(const hd_suite_tests *t, const char *junit, hd_arena *arena)
{
    hd_error error = { "" };
    hd_report_case *cases = hd_arena_alloc(arena, (t->count + 1) * sizeof *cases);
    if (!hd_replay_all(t->records, t->count, t->names, cases, arena, &error))
        return fail(error.text);
    int status = hd_report_cases(cases, t->count, stdout);
    return junit && !hd_report_junit(t->suite, cases, t->count, junit, &error) ? fail(error.text) : status;
}

static int replay_folder(const replay_options *o, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_tests tests;
    return hd_suite_folder_tests(o->all, &tests, arena, &error) ? run_tests(&tests, o->junit, arena) : fail(error.text);
}

static int replay_files(const replay_options *o, char **files, int count, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_tests tests;
    if (!hd_suite_folder_some_tests(files, (size_t)count, &tests, arena, &error))
        return fail(error.text);
    return tests.count ? run_tests(&tests, o->junit, arena) : fail("there is no replay file among these");
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
    if (o.all ? count : !count)
        return fail(
            o.all ? "--all runs a folder and takes no files" : "no replay file given; 'heddle check' prints its name");
    if (o.gdb && (o.all || count > 1))
        return fail("--gdb is for one replay file at a time");
    if (o.junit && !o.all && count == 1)
        return fail("--junit is for --all, or several files");
    hd_arena_init(&arena, &hd_heap);
    hd_program_trust((hd_word_list) { o.trust.items, o.trust.count }, &arena);
    int status = o.all ? replay_folder(&o, &arena)
        : count > 1    ? replay_files(&o, argv, count, &arena)
                       : replay_one(&o, argv[0], &arena);
    hd_arena_fini(&arena);
    return fflush(stdout) ? fail("standard output cannot be written") : status;
}
