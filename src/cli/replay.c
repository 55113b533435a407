/* heddle replay: repeats a recorded failure in a fresh process, or in gdb. */
#include "base/error.h"
#include "base/library.h"
#include "base/subprocess.h"
#include "supervisor/program.h"
#include "cli/replay_all.h"
#include "event/record.h"
#include "report/text.h"
#include "supervisor/replay.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

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

static hd_replay replay_of(const hd_record *record, hd_arena *arena)
{
    hd_replay r = { .program = record->program, .symbolic = record->symbolic, .show_output = true };
    hd_given *given = hd_arena_alloc(arena, (record->input_count + 1) * sizeof *given);
    for (uint32_t i = 0; i < record->input_count; i++)
        given[i] = record->inputs[i].given;
    r.arguments = hd_arena_alloc(arena, (record->argument_count + 2) * sizeof(char *));
    r.arguments[0] = (char *)record->program;
    for (uint32_t i = 0; i < record->argument_count; i++)
        r.arguments[i + 1] = record->arguments[i];
    r.config = (hd_session_config) { .settings = record->settings,
        .given = given,
        .given_count = record->input_count,
        .records = record->steps,
        .record_count = record->step_count,
        .key = record->key,
        .facts = record->facts };
    return r;
}

/* --- what came of it -------------------------------------------------------------------------- */

static void say_where_it_parts(const hd_record *record, const hd_recorded_run *run)
{
    char step[HD_STEP_TEXT];
    if (run->misfit >= record->step_count)
        return;
    hd_record_step_text(&record->steps[run->misfit], step, sizeof step);
    printf("heddle: the program has changed since: step %u of %u of the schedule, '%s', no longer fits; "
           "it was followed as far as it did\n",
        run->misfit + 1, record->step_count, step);
}

/* A test of a suite: it records no failure. */
static int tell_test(const hd_record *record, const hd_recorded_run *run, const char *path, const hd_report_text *text)
{
    bool followed = run->misfit >= record->step_count;
    if (*run->finding.message) {
        hd_report_finding found = { .finding = run->finding, .run = *run, .confirmed = true, .replay = path };
        hd_report_print(text, &found, record->program);
        return HD_EXIT_FOUND;
    }
    hd_report_interleaving(text, run, record->program);
    bool well = run->outcome.kind == HD_FINISHED || run->outcome.kind == HD_DEPTH;
    printf("heddle: the test %s\n", followed && well ? "passes" : "does not end as it should");
    return followed && well ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

static int tell_other_end(const hd_record *record, const hd_recorded_run *run, const hd_report_text *text)
{
    bool followed = run->misfit >= record->step_count;
    bool well = run->outcome.kind == HD_FINISHED && !*run->finding.message;
    if (*run->finding.message) {
        printf("heddle: not the recorded failure (%s), but another one:\n", record->message);
        hd_report_print(
            text, &(hd_report_finding) { .finding = run->finding, .run = *run, .confirmed = true }, record->program);
    } else {
        hd_report_interleaving(text, run, record->program);
        if (well)
            printf("heddle: the program ended normally, with exit status %u\n", run->outcome.exit_status);
        else
            printf("heddle: the execution had a different outcome: %s\n", run->outcome.message);
    }
    printf("heddle: the recorded failure (%s) did not happen again%s\n", record->message,
        followed && well ? "" : "; 'heddle check' can tell whether it is gone");
    return followed && well ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

/* In a changed program the same failure may be on another line: then kind and message identify it. */
static bool is_same_failure(const hd_record *record, const hd_recorded_run *run)
{
    const hd_finding *f = &run->finding;
    return run->reproduced
        || (*f->message && !strcmp(hd_finding_word(f->kind), record->kind) && !strcmp(f->message, record->message));
}

static int show(const hd_record *record, const char *path, hd_arena *arena)
{
    hd_error error = { "" };
    hd_recorded_run run;
    hd_replay replay = replay_of(record, arena);
    hd_report_text text = hd_report_text_for(stdout);
    text.whole = true;
    if (!hd_replay_run(&replay, arena, &run, &error))
        return fail(error.text);
    if (run.died) {
        printf("heddle: the process was killed in the middle of the execution (recorded: %s)\n", record->message);
        return strcmp(record->kind, "crash") ? HD_EXIT_BOUND : HD_EXIT_FOUND;
    }
    say_where_it_parts(record, &run);
    if (!strcmp(record->kind, "test"))
        return tell_test(record, &run, path, &text);
    if (!is_same_failure(record, &run))
        return tell_other_end(record, &run, &text);
    hd_report_finding again = { .finding = run.finding, .run = run, .confirmed = true, .replay = path };
    hd_report_print(&text, &again, record->program);
    return HD_EXIT_FOUND;
}

/* --- in gdb ------------------------------------------------------------------------------------- */

static void keep_going(int number)
{
    (void)number;
}

static bool has_gdb(hd_arena *arena, hd_error *error)
{
    char *output;
    return hd_subprocess_read((char *[]) { "gdb", "--version", NULL }, arena, &output, NULL)
        || hd_fail(error, "gdb is not installed; 'apt-get install gdb' on Debian");
}

/* Sets which thread gdb shows, and where it stops: at the second access of a race, otherwise at the end. */
static void aim(hd_replay *r, const hd_recorded_run *run, int *thread)
{
    r->config.debugged = true;
    r->config.stop_at = run->finding.kind == HD_FINDING_DATA_RACE ? run->finding.entries[1] : ~0u;
    *thread = run->finding.kind == HD_FINDING_DEADLOCK ? (int)run->finding.thread : -1;
}

static char **gdb_command(
    const hd_replay *r, const hd_recorded_run *run, int thread, const char *folder, hd_arena *arena)
{
    const hd_module *program = NULL;
    for (uint32_t i = 0; i < run->module_count && !program; i++)
        program = *run->modules[i].path ? NULL : &run->modules[i];
    hd_vec(char *) words = { 0 };
    /* heddle.gdb uses these to find the program's own frames. */
    char *setting = hd_arena_print(arena, "set $heddle_start = 0x%llx, $heddle_end = 0x%llx, $heddle_thread = %d",
        program ? (unsigned long long)program->start : 0, program ? (unsigned long long)program->end : ~0ull, thread);
    char *start[] = { "gdb", "-q", "-iex", "set startup-with-shell off", "-ex", setting, "-x",
        hd_arena_print(arena, "%s/heddle.gdb", folder), "--args" };
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        hd_vec_push(&words, start[i]);
    for (char **a = r->arguments; *a; a++)
        hd_vec_push(&words, *a);
    char **command = hd_arena_alloc(arena, (words.count + 1) * sizeof *command);
    memcpy(command, words.items, words.count * sizeof *command);
    hd_vec_fini(&words);
    return command;
}

static int debug(const hd_record *record, hd_arena *arena)
{
    hd_error error = { "" };
    hd_recorded_run run;
    const char *folder;
    int thread;
    hd_replay replay = replay_of(record, arena);
    replay.show_output = false;
    if (!has_gdb(arena, &error) || !hd_library_find(arena, &folder, &error)
        || !hd_replay_run(&replay, arena, &run, &error))
        return fail(error.text);
    say_where_it_parts(record, &run);
    if (!is_same_failure(record, &run)) {
        printf(
            "heddle: the recorded failure (%s) did not happen again: there is nothing to stop at\n", record->message);
        return HD_EXIT_BOUND;
    }
    aim(&replay, &run, &thread);
    replay.show_output = true;
    replay.debugger = "gdb";
    replay.debugger_arguments = gdb_command(&replay, &run, thread, folder, arena);
    signal(SIGINT, keep_going); /* Ctrl-C is for gdb */
    hd_replay_run(&replay, arena, &run, NULL);
    return HD_EXIT_FOUND;
}

static int replay_one(const replay_options *o, const char *path, hd_arena *arena)
{
    hd_error error = { "" };
    hd_record record;
    if (!hd_record_read(&record, path, arena, &error))
        return fail(error.text);
    record.program = hd_replay_program(record.program, path, arena);
    if (!hd_program_check(record.program, &error))
        return fail(error.text);
    return o->gdb ? debug(&record, arena) : show(&record, path, arena);
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
    int status = o.all ? hd_replay_all(o.all, o.junit, &arena)
        : count > 1    ? hd_replay_files(argv, count, o.junit, &arena)
                       : replay_one(&o, argv[0], &arena);
    hd_arena_fini(&arena);
    return fflush(stdout) ? fail("standard output cannot be written") : status;
}
