/* heddle check: explore the schedules of a program and report what fails. */
#include "base/error.h"
#include "base/file.h"
#include "base/version.h"
#include "cli/settings.h"
#include "report/annotations.h"
#include "report/check_cases.h"
#include "report/json.h"
#include "report/messages.h"
#include "report/junit.h"
#include "report/page.h"
#include "report/sarif.h"
#include "report/suppress.h"
#include "report/text.h"
#include "store/store.h"
#include "supervisor/check_program.h"
#include "supervisor/keeper.h"
#include "supervisor/progress.h"
#include "supervisor/symbolic.h"
#include "supervisor/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 10000 /* default number of executions for explorers that never finish by themselves */ };

#define HD_VERB check
#define CHECK_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "check [OPTIONS] FILE.c…|PROGRAM [-- ARGS]",
    "Runs the program under every schedule and reports deadlocks, data races, failed assertions,\n"
    "crashes and misuse of memory and locks. C files are compiled first.",
    rows, sizeof rows / sizeof *rows };

/* --- options ------------------------------------------------------------------------------ */

static bool has_bound(const check_options *o)
{
    return o->preemptions != HD_CLI_NO_NUMBER || o->delays != HD_CLI_NO_NUMBER;
}

/* Leaks and final states are properties of all threads together, so every combination of what
 * threads do must be run: dpor. */
static const char *explorer_of(const check_options *o)
{
    return o->explore                        ? o->explore
        : o->delays != HD_CLI_NO_NUMBER      ? "delay"
        : o->preemptions != HD_CLI_NO_NUMBER ? "preempt"
        : o->leaks || o->states              ? "dpor"
                                             : "unfold";
}

/* The bound of schedules: as given, or that of the explorer, where it is 2 by default. */
static hd_bounded bounded_by(const check_options *o, int64_t *most)
{
    enum { USUAL = 2 };
    bool delays = o->delays != HD_CLI_NO_NUMBER || !strcmp(explorer_of(o), "delay");
    bool preemptions = o->preemptions != HD_CLI_NO_NUMBER || !strcmp(explorer_of(o), "preempt");
    *most = delays ? o->delays : o->preemptions;
    if (*most == HD_CLI_NO_NUMBER)
        *most = USUAL;
    return delays ? HD_BOUNDED_DELAYS : preemptions ? HD_BOUNDED_PREEMPTIONS : HD_BOUNDED_NOT;
}

static bool check_bound(const check_options *o, hd_error *error)
{
    const char *explorer = explorer_of(o), *option = o->delays != HD_CLI_NO_NUMBER ? "delays" : "preemptions";
    const char *own = o->delays != HD_CLI_NO_NUMBER ? "delay" : "preempt";
    int64_t most;
    bounded_by(o, &most);
    if (!has_bound(o))
        return true;
    if (o->preemptions != HD_CLI_NO_NUMBER && o->delays != HD_CLI_NO_NUMBER)
        return hd_fail(error, "--preemptions and --delays are two bounds of schedules: give one of them");
    if (strcmp(explorer, own) != 0 && strcmp(explorer, "dfs") != 0)
        return hd_fail(error, "--%s needs --explore=%s or dfs, not '%s'", option, own, explorer);
    if (o->compose == HD_CLI_ON)
        return hd_fail(error, "--%s is about single operations: not with --compose", option);
    return hd_cli_in_range(option, most, 0, 10000, error);
}

/* By default dpor takes turns with the unfolding (explore/turns.h). */
static const char *second_of(const check_options *o)
{
    return o->explore || o->leaks || o->states || o->dot || has_bound(o) ? "" : "dpor";
}

/* By default dpor composes steps, until it meets a violation of the lock discipline (explore/run.c). Leaks and final
 * states depend on how far the other threads are when the process ends; composed steps go further. */
static bool composes_by_default(const check_options *o)
{
    return *second_of(o) && !(o->discipline && !strcmp(o->discipline, "eraser"));
}

static bool composes(const check_options *o)
{
    return o->compose == HD_CLI_ON || (o->compose == HD_CLI_NOT_GIVEN && composes_by_default(o));
}

static bool can_compose(const char *explorer)
{
    return !strcmp(explorer, "sss") || !strcmp(explorer, "dpor") || !strcmp(explorer, "dfs");
}

/* Does the verdict rely on the lock discipline? */
static bool relies(const check_options *o)
{
    return (composes(o) && !*second_of(o)) || !strcmp(explorer_of(o), "if-sss");
}

static const char *discipline_of(const check_options *o)
{
    return o->discipline ? o->discipline : relies(o) ? "per-run" : "off";
}

static bool is_discipline(const char *word)
{
    return !strcmp(word, "per-run") || !strcmp(word, "same-lock") || !strcmp(word, "eraser") || !strcmp(word, "off");
}

/* The number of the word among those of an option, or -1. */
static int find_word(const char *word, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(word, words[i]))
            return i;
    return -1;
}

static int dependency_of(const check_options *o)
{
    return find_word(o->dependency, (const char *const[]) { "conflict", "rw", "trivial" }, 3);
}

static int reach_of(const check_options *o)
{
    return find_word(o->reach, (const char *const[]) { "stateless", "tree", "single", "pairs" }, 4);
}

static bool check_values(const check_options *o, hd_error *error)
{
    if (!hd_explorer_find(explorer_of(o)))
        return hd_fail(error, "there is no explorer '%s'; there are: %s", explorer_of(o), hd_explorer_names());
    if (o->leaks && hd_explorer_find(explorer_of(o))->local_states)
        return hd_fail(error,
            "--leaks needs an explorer that runs every combination of the threads' local behaviours (--explore=dpor), "
            "not '%s'",
            explorer_of(o));
    if (o->crash_files && !o->crash)
        return hd_fail(error, "--crash-files says what crashes may lose: it needs --crash=N");
    if (o->crash_files && strcmp(o->files, "overlay") != 0)
        return hd_fail(error, "--crash-files needs files in memory (--files=overlay)");
    if (o->resume && !strcmp(o->store, "off"))
        return hd_fail(error, "--resume goes on with a search that is kept beside the database: not with --store=off");
    if (o->resume && o->jobs > 1)
        return hd_fail(
            error, "--resume goes on with the search of one worker: not with --jobs=%lld", (long long)o->jobs);
    if (o->dot && !hd_explorer_find(explorer_of(o))->draw)
        return hd_fail(error,
            "--dot needs an explorer that unfolds (--explore=unfold, contextual or naive) or reach, not '%s'",
            explorer_of(o));
    if (o->dot && !strcmp(explorer_of(o), "reach") && reach_of(o) == HD_REACH_STATELESS)
        return hd_fail(error, "--dot draws the tree of all sequences: it needs --reach=tree");
    if (!is_discipline(discipline_of(o)))
        return hd_fail(error, "--discipline is 'per-run', 'same-lock', 'eraser' or 'off', not '%s'", o->discipline);
    if (composes(o) && !*second_of(o) && !can_compose(explorer_of(o)))
        return hd_fail(error, "--compose needs --explore=sss, dpor or dfs, not '%s'", explorer_of(o));
    if (o->compose == HD_CLI_ON && *second_of(o) && !composes_by_default(o))
        return hd_fail(error, "--compose needs --discipline=per-run, not '%s'", o->discipline);
    if (o->leaks && relies(o))
        return hd_fail(error, "--leaks needs every schedule of the end of the process (--explore=dpor)");
    if (dependency_of(o) < 0)
        return hd_fail(error, "--dependency is 'conflict', 'rw' or 'trivial', not '%s'", o->dependency);
    if (!strcmp(o->visible, "release") && !strcmp(o->persistent, "2-mld"))
        return hd_fail(error, "--persistent=2-mld needs --visible=acquire: it relies on steps that take locks first");
    if (reach_of(o) < 0)
        return hd_fail(error, "--reach is 'stateless', 'tree', 'single' or 'pairs', not '%s'", o->reach);
    return hd_cli_one_of("visible", o->visible, "acquire", "release", error)
        && hd_cli_one_of("persistent", o->persistent, "enabled", "2-mld", error)
        && hd_cli_one_of("stop", o->stop, "first", "never", error)
        && hd_cli_one_of("table", o->table, "slice", "full", error) && hd_cli_in_range("jobs", o->jobs, 1, 256, error)
        && hd_cli_in_range("divide", o->divide, 0, 1 << 30, error)
        && hd_cli_in_range("memory", o->memory, 0, 1 << 24, error)
        && hd_cli_in_range("pct-depth", o->pct_depth, 1, 32, error) && check_bound(o, error)
        && hd_cli_in_range("solver-time", o->solver_time, 1, 3600000, error);
}

/* A page shows the lines that the search has reached. */
static bool counts_lines(const check_options *o)
{
    return o->html || o->result;
}

/* A page shows what an unfolding explorer has built; the beginning, if there is too much to look at. */
static uint32_t drawn_events(const check_options *o)
{
    enum { ON_A_PAGE = 2000 };
    bool on_page = (o->html || o->result) && hd_explorer_find(explorer_of(o))->unfolds;
    return o->dot ? UINT32_MAX : on_page ? ON_A_PAGE : 0;
}

static bool configure(hd_session_config *c, const check_options *o, hd_error *error)
{
    hd_settings settings;
    if (!check_values(o, error) || !hd_cli_settings(&settings, &HD_CLI_GIVEN(o), error))
        return false;
    settings.leaks = o->leaks;
    settings.spurious = o->spurious;
    settings.crash_files = o->crash_files;
    settings.discipline = strcmp(discipline_of(o), "off") != 0;
    settings.eraser = !strcmp(discipline_of(o), "eraser");
    settings.same_lock = !strcmp(discipline_of(o), "same-lock");
    *c = (hd_session_config) { .mode = HD_MODE_EXPLORE,
        .seed = (uint64_t)o->seed,
        .max_tests = (uint64_t)o->max_tests,
        .seconds = o->time,
        .memory = (uint64_t)o->memory << 20,
        .settings = settings,
        .pct_depth = (uint32_t)o->pct_depth,
        .solver_time = (uint32_t)o->solver_time,
        .compose = composes(o),
        .hunts = !o->explore && !o->states && !o->dot && !has_bound(o),
        .cover = counts_lines(o),
        .count_lines = counts_lines(o),
        .states = o->states,
        .draw = drawn_events(o),
        .stop_at_first = !strcmp(o->stop, "first"),
        .races_last = !strcmp(o->races, "report-last"),
        .jobs = (uint32_t)o->jobs,
        .divide = (uint32_t)o->divide };
    snprintf(c->explorer, sizeof c->explorer, "%s", explorer_of(o));
    snprintf(c->second, sizeof c->second, "%s", second_of(o));
    int64_t most;
    c->bounded = bounded_by(o, &most);
    c->most = (uint32_t)most;
    c->dependency = (hd_dependency)dependency_of(o);
    c->reach = (hd_reach_mode)reach_of(o);
    c->persistent = !strcmp(o->persistent, "2-mld");
    c->exits = !strcmp(o->visible, "release");
    /* A sampler needs some bound. */
    if (!hd_explorer_find(explorer_of(o))->exhaustive && !c->max_tests && !(c->seconds > 0))
        c->max_tests = SAMPLES;
    return true;
}

/* --- the verb ------------------------------------------------------------------------------- */

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

static void print(const check_options *o, const hd_report_suppressions *suppressions, const hd_report_result *r)
{
    char verdict[1024];
    for (size_t i = 0; i < r->notice_count; i++)
        printf("heddle: %s\n", r->notices[i]);
    hd_report_text text = hd_report_text_for(stdout);
    text.whole = !strcmp(o->table, "full");
    /* Bugs come first. */
    for (size_t i = 0; i < r->finding_count; i++)
        if (hd_report_counts(&r->findings[i]))
            hd_report_print(&text, &r->findings[i], r->program);
        else if (!r->findings[i].suppressed)
            hd_report_limit(&text, &r->findings[i]);
    hd_report_suppressions_list(suppressions, r, stdout);
    if (o->print_suppressions)
        hd_report_suppressions_print(r, stdout);
    if (hd_report_wants_annotations())
        hd_report_annotations(r, stdout);
    hd_report_verdict(r, verdict, sizeof verdict);
    printf("heddle: %s\n", verdict);
}

/* Every file is tried, also after one that cannot be written; the error is about the last of those. */
static bool write_files(const check_options *o, const hd_report_result *r, hd_arena *arena, hd_error *error)
{
    const hd_report_case *cases;
    bool kept = !o->json || hd_report_json(r, HD_VERSION, o->json, error);
    kept &= !o->html || hd_report_page(r, HD_VERSION, o->html, error);
    kept &= !o->time_space || hd_report_messages_svg(r, o->time_space, error);
    kept &= !o->result || hd_report_store(r, HD_VERSION, o->result, error);
    kept &= !o->sarif || hd_report_sarif(r, HD_VERSION, o->sarif, error);
    size_t count = o->junit ? hd_report_check_cases(r, &cases, arena) : 0;
    kept &=
        !o->junit || hd_report_junit(hd_arena_print(arena, "heddle check %s", r->given), cases, count, o->junit, error);
    return kept;
}

/* The usual database takes what every check leaves behind, so it forgets old runs and searches; one that was asked for
 * keeps all. */
enum { USUALLY_KEPT = 200, USUAL_SEARCHES = 20 };

static bool is_usual(const char *path)
{
    return !strcmp(path, defaults.store);
}

static hd_check_files files_of(const check_options *o, FILE *progress, hd_arena *arena)
{
    bool kept = strcmp(o->store, "off") != 0;
    return (hd_check_files) { .drawing = o->dot,
        .progress = progress,
        .searches = kept ? hd_keeper_folder(o->store, arena) : NULL,
        .most_searches = is_usual(o->store) ? USUAL_SEARCHES : 0,
        .resume = o->resume };
}

/* What is printed afterwards is durable. If the run cannot be kept, the check goes on. */
static void store(const char *path, const hd_report_result *r)
{
    hd_error error = { "" };
    int64_t number;
    bool usual = is_usual(path);
    hd_store *s = usual && !hd_output_folder(&error) ? NULL : hd_store_open(path, true, &error);
    if (!s || !hd_store_add(s, r, HD_VERSION, usual ? USUALLY_KEPT : 0, &number, &error))
        fprintf(stderr, "heddle: the run is not stored: %s\n", error.text);
    if (s)
        hd_store_close(s);
}

static int check(const check_options *o, const hd_session_config *config, const hd_program *program, FILE *progress,
    hd_cc_limits *limits, hd_arena *arena)
{
    hd_error error = { "" };
    hd_report_result r;
    bool unwritten;
    hd_report_suppressions suppressions;
    if (!hd_report_suppressions_read(&suppressions, o->suppress.items, o->suppress.count, arena, &error))
        return fail(error.text);
    hd_check_files files = files_of(o, progress, arena);
    if (!hd_check_program(&r, config, program, &files, &suppressions, limits, &unwritten, arena, &error))
        return fail(error.text);
    if (strcmp(o->store, "off") != 0)
        store(o->store, &r);
    print(o, &suppressions, &r);
    if (unwritten)
        fail(error.text);
    bool kept = write_files(o, &r, arena, &error);
    if (!kept)
        fail(error.text);
    bool shown = !fflush(stdout) && !ferror(stdout);
    if (!shown)
        fail("the report cannot be written to standard output");
    /* A report that could not be written must not end with status 0. */
    int status = hd_report_status(&r);
    return status != HD_EXIT_CLEAN || (kept && shown) ? status : HD_EXIT_USAGE;
}

/* The file of --progress ends with the status. The program must not inherit it. */
static int check_with_progress(const check_options *o, const hd_session_config *config, const hd_program *program,
    hd_cc_limits *limits, hd_arena *arena)
{
    hd_error error;
    FILE *progress = o->progress ? fopen(o->progress, "we") : NULL;
    if (o->progress && !progress) {
        hd_fail(&error, "%s: cannot be written: %s", o->progress, strerror(errno));
        return fail(error.text);
    }
    int status = check(o, config, program, progress, limits, arena);
    if (progress) {
        hd_progress_record_end(progress, status);
        if (!hd_file_close(progress, o->progress, &error))
            status = status == HD_EXIT_CLEAN ? fail(error.text) : status;
    }
    return status;
}

int hd_cli_verb_check(int argc, char **argv);

int hd_cli_verb_check(int argc, char **argv)
{
    check_options o = defaults;
    hd_error error = { "" };
    hd_arena arena;
    hd_program program;
    hd_session_config config;
    int count, dashes;
    if (hd_cli_asks_help(&usage, argc, argv))
        return HD_EXIT_CLEAN;
    if (!hd_cli_parse(&usage, argc, argv, &o, &count, &dashes, &error))
        return fail(error.text);
    if (!configure(&config, &o, &error))
        return fail(error.text);
    hd_arena_init(&arena, &hd_heap);
    /* --time counts from here: building the program is part of the check. */
    hd_cc_limits limits = { .ending = hd_ending_open(), .memory = config.memory };
    hd_ending_set_time(limits.ending, config.seconds);
    hd_program_trust((hd_word_list) { o.trust.items, o.trust.count }, &arena);
    hd_symbolic_options symbolic = { { o.sym_arg.items, o.sym_arg.count }, { o.sym_file.items, o.sym_file.count },
        { o.sym_env.items, o.sym_env.count }, { o.toss.items, o.toss.count }, o.sym_stdin };
    const char *lines = NULL, *cflags = o.cflags;
    if (counts_lines(&o))
        cflags = hd_arena_print(&arena, "-fheddle-cover %s", cflags);
    if (o.annotate)
        cflags = hd_arena_print(&arena, "-fheddle-annotate=%s %s", o.annotate, cflags);
    uint32_t last_argument = 0;
    hd_system_options system = { { o.proc.items, o.proc.count }, o.system, o.main, o.crash, (uint32_t)o.np };
    bool read = hd_symbolic_lines(&symbolic, &arena, &lines, &last_argument, &error);
    hd_program_build how = { cflags, lines, &limits };
    bool found = read
        && (hd_system_is_given(&system) ? hd_system_find(&program, &system, argv, count, dashes, &how, &arena, &error)
                                        : hd_program_find(&program, argv, count, dashes, &how, &arena, &error));
    if (found)
        hd_program_add_arguments(&program, last_argument, &arena);
    int status = found ? check_with_progress(&o, &config, &program, &limits, &arena) : fail(error.text);
    if (!found && limits.met)
        status = HD_EXIT_BOUND;
    hd_ending_close(limits.ending);
    hd_arena_fini(&arena);
    return status;
}
