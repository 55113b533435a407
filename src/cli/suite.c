/* heddle suite: writes the smallest set of tests that reaches everything reachable. */
#include "base/error.h"
#include "base/library.h"
#include "cli/settings.h"
#include "suite/suite_run.h"
#include "supervisor/symbolic.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define HD_VERB suite
#define SUITE_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "suite [OPTIONS] FILE.c…|PROGRAM -o SUITE [-- ARGS]",
    "Explores the program, chooses as few schedules as it can that together reach everything that any\n"
    "schedule reaches, and writes them as tests to the file SUITE, which 'heddle replay SUITE' runs. With\n"
    "--update=SUITE, and no program, it brings such a file up to date: tests are kept, dropped or added.",
    rows, sizeof rows / sizeof *rows };

/* --- what can be asked for -------------------------------------------------------------------- */

static const struct net {
    const char *name, *explorer;
    hd_net net;
} nets[] = {
    { "unfold", "unfold", HD_NET_REPLICATED },
    { "contextual", "contextual", HD_NET_CONTEXTUAL },
    { "naive", "naive", HD_NET_NAIVE },
    { "traces", "dpor", HD_NET_REPLICATED },
};

static const struct method {
    const char *name;
    hd_suite_cover_method *method;
} methods[] = {
    { "exact", hd_suite_cover_exact },
    { "maxsmt", hd_suite_cover_maxsmt },
    { "clique", hd_suite_cover_clique },
    { "greedy", hd_suite_cover_greedy },
};

static const struct cover {
    const char *name;
    hd_suite_criterion what;
} covers[] = {
    { "events", HD_SUITE_EVENTS },
    { "statements", HD_SUITE_STATEMENTS },
    { "branches", HD_SUITE_BRANCHES },
};

#define find(rows, wanted, option, error) \
    find_row(rows, sizeof(rows) / sizeof *(rows), sizeof *(rows), wanted, option, error)

/* Finds the row of a table by the name that it begins with. */
static const void *find_row(
    const void *rows, size_t count, size_t size, const char *wanted, const char *option, hd_error *error)
{
    char names[200] = "";
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)rows + i * size);
        if (!strcmp(name, wanted))
            return (const char *)rows + i * size;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", name);
    }
    hd_fail(error, "--%s: there is no '%s'; there are: %s", option, wanted, names);
    return NULL;
}

static bool configure(hd_suite_maker_config *c, const suite_options *o, hd_arena *arena, hd_error *error)
{
    const char *library;
    const struct net *net = find(nets, o->net, "net", error);
    const struct method *method = net ? find(methods, o->method, "method", error) : NULL;
    const struct cover *cover = method ? find(covers, o->cover, "cover", error) : NULL;
    if (!cover || !hd_library_find(arena, &library, error))
        return false;
    hd_settings settings;
    if (!hd_cli_settings(&settings, &HD_CLI_GIVEN(o), error) || !hd_cli_in_range("memory", o->memory, 0, 1 << 24, error)
        || !hd_cli_in_range("max", o->max, 0, 1 << 24, error))
        return false;
    *c = (hd_suite_maker_config) { .explorer = net->explorer,
        .net = net->net,
        .cover = cover->what,
        .method = method->method,
        .solver = hd_arena_print(arena, "%s/smt", library),
        .inputs_solver = hd_arena_print(arena, "%s/solve", library),
        .seconds = o->time,
        .most = (uint32_t)o->max,
        .memory = (uint64_t)o->memory << 20,
        .settings = settings };
    return true;
}

/* --- the verb ------------------------------------------------------------------------------------- */

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

static int report(const suite_options *o, const hd_suite_run *run, const hd_suite_result *result)
{
    hd_error error = { "" };
    /* Say what happened to each test only if there were tests before. */
    if (run->old)
        hd_suite_print_updates(result, stdout);
    hd_suite_print(result, stdout);
    return !o->json || hd_suite_write_json(result, o->json, &error) ? hd_suite_status(result) : fail(error.text);
}

static int make(const suite_options *o, hd_suite_run *run, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_result result;
    return hd_suite_make(run, &result, arena, &error) ? report(o, run, &result) : fail(error.text);
}

/* What building the program may take. Signals are noticed from here on, until everything has been said. */
static hd_cc_limits begin(const suite_options *o, hd_suite_run *run)
{
    run->ending = hd_ending_open();
    hd_ending_set_time(run->ending, o->time);
    return (hd_cc_limits) { .ending = run->ending, .memory = (uint64_t)o->memory << 20 };
}

/* An update takes its settings from the suite. */
static void adopt(suite_options *o, const hd_suite_file *old)
{
    /* The same goals as before, so that their keys keep their meaning. */
    o->net = old->net;
    o->cover = old->cover;
    o->method = old->method;
    o->cflags = old->cflags;
}

/* Statements and branches need cover hooks in the program. */
static const char *build_flags(const suite_options *o, hd_arena *arena)
{
    return strcmp(o->cover, "events") ? hd_arena_print(arena, "%s -fheddle-cover", o->cflags) : o->cflags;
}

static hd_suite_file file_of(const suite_options *o)
{
    return (hd_suite_file) { .cflags = o->cflags, .net = o->net, .cover = o->cover, .method = o->method };
}

/* Builds the program of the suite that is brought up to date. */
static bool open_old(hd_suite_run *run, hd_suite_file *old, const suite_options *o, hd_cc_limits *limits,
    hd_arena *arena, hd_error *error)
{
    const char *folder = hd_suite_file_folder(o->update, arena);
    for (size_t i = 0; i < old->sources.count; i++)
        hd_vec_push(&run->file.sources,
            hd_arena_print(arena, *old->sources.items[i] == '/' ? "%.0s%s" : "%s/%s", folder, old->sources.items[i]));
    old->cflags = old->sources.count ? build_flags(o, arena) : "";
    if (!hd_suite_store_program(o->update, old, &run->program, limits, arena, error)
        || !configure(&run->config, o, arena, error))
        return false;
    run->program.symbolic = old->head.symbolic;
    return true;
}

static int update(suite_options *o, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_file old;
    if (!hd_suite_file_read(&old, o->update, arena, &error)) {
        hd_suite_file_fini(&old);
        return fail(error.text);
    }
    adopt(o, &old);
    hd_suite_run run = { .path = o->o ? o->o : o->update, .file = file_of(o), .old = &old };
    hd_cc_limits limits = begin(o, &run);
    bool open = open_old(&run, &old, o, &limits, arena, &error);
    int status = open ? make(o, &run, arena) : fail(error.text);
    hd_ending_close(run.ending);
    hd_suite_file_fini(&old);
    hd_suite_file_fini(&run.file);
    return limits.met ? HD_EXIT_BOUND : status;
}

static bool is_source(const char *word)
{
    size_t length = strlen(word);
    return length > 2 && !strcmp(word + length - 2, ".c");
}

static int create(const suite_options *o, char **words, int count, int dashes, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_run run = { .path = o->o, .file = file_of(o) };
    hd_symbolic_options symbolic = { { o->sym_arg.items, o->sym_arg.count }, { o->sym_file.items, o->sym_file.count },
        { o->sym_env.items, o->sym_env.count }, { o->toss.items, o->toss.count }, o->sym_stdin };
    uint32_t last_argument = 0;
    bool sources = false;
    for (int i = 0; i < dashes; i++)
        sources |= is_source(words[i]);
    for (int i = 0; i < dashes && sources; i++)
        hd_vec_push(&run.file.sources, words[i]);
    hd_cc_limits limits = begin(o, &run);
    hd_program_build how = { sources ? build_flags(o, arena) : o->cflags, NULL, &limits };
    bool found = configure(&run.config, o, arena, &error)
        && hd_symbolic_lines(&symbolic, arena, &how.symbolic, &last_argument, &error)
        && hd_program_find(&run.program, words, count, dashes, &how, arena, &error);
    if (found)
        hd_program_add_arguments(&run.program, last_argument, arena);
    int status = found ? make(o, &run, arena) : fail(error.text);
    hd_ending_close(run.ending);
    hd_suite_file_fini(&run.file);
    return limits.met ? HD_EXIT_BOUND : status;
}

/* A suite is written to a file. Earlier versions wrote a folder, which can be read. */
static bool check_target(const char *path, hd_error *error)
{
    struct stat about;
    return stat(path, &about) || !S_ISDIR(about.st_mode)
        || hd_fail(error, "%s: is a folder; a suite is one file now: '-o FILE' says which", path);
}

int hd_cli_verb_suite(int argc, char **argv);

int hd_cli_verb_suite(int argc, char **argv)
{
    suite_options o = defaults;
    hd_error error = { "" };
    hd_arena arena;
    int count, dashes;
    if (hd_cli_asks_help(&usage, argc, argv))
        return HD_EXIT_CLEAN;
    if (!hd_cli_parse(&usage, argc, argv, &o, &count, &dashes, &error))
        return fail(error.text);
    bool unknowns = o.sym_arg.count || o.sym_file.count || o.sym_env.count || o.toss.count || o.sym_stdin;
    if (o.update && (count || unknowns))
        return fail(
            "--update takes its program and what is unknown from the suite: 'heddle suite --update=SUITE' is all");
    if (!o.update && !o.o)
        return fail("no file given: 'heddle suite PROGRAM -o SUITE' writes the tests to the file SUITE");
    if (!check_target(o.o ? o.o : o.update, &error))
        return fail(error.text);
    hd_arena_init(&arena, &hd_heap);
    hd_program_trust((hd_word_list) { o.trust.items, o.trust.count }, &arena);
    int status = o.update ? update(&o, &arena) : create(&o, argv, count, dashes, &arena);
    hd_arena_fini(&arena);
    return fflush(stdout) ? fail("standard output cannot be written") : status;
}
