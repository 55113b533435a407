/* heddle suite: writes the smallest set of tests that reaches everything reachable. */
#include "base/error.h"
#include "base/library.h"
#include "base/json.h"
#include "cli/settings.h"
#include "suite/suite_folder.h"
#include "suite/suite_maker.h"
#include "supervisor/symbolic.h"
#include "base/version.h"
#include "report/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HD_VERB suite
#define SUITE_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "suite [OPTIONS] FILE.c…|PROGRAM -o DIR [-- ARGS]",
    "Explores the program, chooses as few schedules as it can that together reach everything that any\n"
    "schedule reaches, and writes each as a test that 'heddle replay --all DIR' runs. With --update=DIR,\n"
    "and no program, it brings such a folder up to date: tests are kept, dropped or added.",
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
    if (!hd_cli_settings(&settings, o->depth, o->races, o->isolate, o->exit, error)
        || !hd_cli_in_range("memory", o->memory, 0, 1 << 24, error))
        return false;
    *c = (hd_suite_maker_config) { .explorer = net->explorer,
        .net = net->net,
        .cover = cover->what,
        .method = method->method,
        .solver = hd_arena_print(arena, "%s/smt", library),
        .inputs_solver = hd_arena_print(arena, "%s/solve", library),
        .seconds = o->time,
        .memory = (uint64_t)o->memory << 20,
        .settings = settings };
    return true;
}

/* --- what came of it ---------------------------------------------------------------------------- */

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

static bool is_complete(const hd_suite_maker *x)
{
    return x->session->end == HD_END_COMPLETE && !x->bound && !x->unreached && !hd_events_lost_ways(x->session->events);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_updates(const hd_suite_maker *x)
{
    static const char *const words[] = { [HD_SUITE_ADDED] = "added",
        [HD_SUITE_KEPT] = "kept",
        [HD_SUITE_UNFIT] = "dropped: the program can no longer follow it",
        [HD_SUITE_NEEDLESS] = "dropped: other tests reach all that it reaches" };
    for (size_t i = 0; i < x->tests.count; i++)
        printf("%s: %s\n", x->tests.items[i].file, words[x->tests.items[i].fate]);
}

static void print_findings(const hd_suite_maker *x, const char *folder)
{
    for (size_t i = 0; i < x->tests.count; i++) {
        const hd_suite_test *t = &x->tests.items[i];
        if (t->fate <= HD_SUITE_KEPT && t->run.found)
            printf("heddle: %s: %s; 'heddle replay %s/%s' shows it\n", t->file, t->run.message, folder, t->file);
    }
}

static void print_verdict(const hd_suite_maker *x, const suite_options *o, const char *folder, uint32_t tests)
{
    const hd_session *s = x->session;
    uint64_t goals = x->goals.items.count;
    printf("heddle: %u test%s in %s for %llu goal%s (%s; %u events in %llu execution%s)", tests, plural(tests), folder,
        (unsigned long long)goals, plural(goals), o->cover, (uint32_t)x->trees.events.count,
        (unsigned long long)s->counts.tests, plural(s->counts.tests));
    /* A claim about the size of suites is made only if every goal is reached. */
    if (x->unreached)
        printf(", %llu of which are reached", (unsigned long long)goals - x->unreached);
    else if (x->lower == tests)
        printf(": no suite is smaller");
    else if (x->lower)
        printf(": the smallest has from %u to %u", x->lower, tests);
    printf("\n");
    if (x->chosen_early)
        printf(
            "heddle: there was not enough time (or too much for a solver): --method=%s was not finished\n", o->method);
    if (hd_events_lost_ways(s->events))
        printf("heddle: an execution reached more statements than can be recorded: some may be missing\n");
    if (x->bound)
        printf("heddle: not everything was explored (%s): the suite covers what was seen\n", x->bound);
    uint32_t count = failures(s);
    if (count && !failing(x))
        printf("heddle: exploring found %u failure%s that no test shows: 'heddle check' reports %s\n", count,
            plural(count), count == 1 ? "it" : "them");
    if (x->unreached)
        printf("heddle: %u goal%s could not be reached again and %s in no test\n", x->unreached, plural(x->unreached),
            x->unreached == 1 ? "is" : "are");
}

static bool write_json(const hd_suite_maker *x, const suite_options *o, const hd_program *program, const char *folder,
    uint32_t tests, hd_error *error)
{
    hd_json j;
    const hd_session *s = x->session;
    FILE *out = fopen(o->json, "w");
    if (!out)
        return hd_fail(error, "%s: cannot be written: %s", o->json, strerror(errno));
    hd_json_open(&j, out);
    hd_json_object(&j, NULL);
    hd_json_text(&j, "version", HD_VERSION);
    hd_json_text(&j, "program", program->given);
    hd_json_text(&j, "folder", folder);
    hd_json_text(&j, "explorer", x->config.explorer);
    hd_json_text(&j, "net", o->net);
    hd_json_text(&j, "cover", o->cover);
    hd_json_text(&j, "method", o->method);
    hd_json_bool(&j, "complete", is_complete(x));
    hd_json_text(&j, "bound", x->bound);
    hd_json_int(&j, "executions", (int64_t)s->counts.tests);
    hd_json_int(&j, "blocked", (int64_t)s->counts.blocked);
    hd_json_int(&j, "events", (int64_t)x->trees.events.count);
    hd_json_int(&j, "goals", (int64_t)x->goals.items.count);
    hd_json_int(&j, "unreached", x->unreached);
    hd_json_int(&j, "mended", x->mended);
    hd_json_int(&j, "tests", tests);
    hd_json_int(&j, "lower", x->lower);
    hd_json_bool(&j, "optimal", x->lower == tests && !x->unreached);
    hd_json_bool(&j, "finished", !x->chosen_early);
    hd_json_int(&j, "findings", s->keep->found_count);
    hd_json_int(&j, "failing", failing(x));
    hd_json_int(&j, "kept", hd_suite_maker_count(x, HD_SUITE_KEPT));
    hd_json_int(&j, "added", hd_suite_maker_count(x, HD_SUITE_ADDED));
    hd_json_int(
        &j, "dropped", hd_suite_maker_count(x, HD_SUITE_UNFIT) + (int64_t)hd_suite_maker_count(x, HD_SUITE_NEEDLESS));
    hd_json_real(&j, "explore_seconds", x->explore_seconds);
    hd_json_real(&j, "choose_seconds", x->choose_seconds);
    hd_json_end(&j, '}');
    bool written = !fflush(out) && !ferror(out);
    written &= !fclose(out);
    return written || hd_fail(error, "%s: cannot be written: %s", o->json, strerror(errno));
}

static int status_of(const hd_suite_maker *x)
{
    return failing(x) || failures(x->session) ? HD_EXIT_FOUND : is_complete(x) ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

/* --- the verb ------------------------------------------------------------------------------------- */

static int fail(const char *text)
{
    fprintf(stderr, "heddle: %s\n", text);
    return HD_EXIT_USAGE;
}

/* Threads keep the numbers that they have in the existing tests. Each update only adds numbers, so
 * the test that knows the most threads has them all. */
static void number_threads_as(const hd_record *records, size_t count, hd_suite_maker_config *config)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t known = 1;
        while (known < HD_MAX_THREADS && records[i].facts.births[known])
            known++;
        if (known > most)
            memcpy(config->facts.births, records[i].facts.births, sizeof config->facts.births);
        most = known > most ? known : most;
    }
}

/* Runs the tests of the folder again, and keeps those that still work and are needed. */
static bool keep_old_tests(
    hd_suite_maker *x, const hd_suite_manifest *old, const hd_record *records, hd_arena *arena, hd_error *error)
{
    size_t count = old->tests.count;
    hd_memory *memory = &x->session->region.memory;
    hd_suite_test *tests = hd_arena_alloc(arena, (count + 1) * sizeof *tests);
    for (size_t i = 0; i < count; i++) {
        tests[i].file = old->tests.items[i].file;
        tests[i].run.records = hd_batch_copy(memory, records[i].steps, records[i].step_count);
        tests[i].run.record_count = records[i].step_count;
        tests[i].run.given = hd_batch_given(memory, records[i].inputs, records[i].input_count);
        tests[i].run.given_count = records[i].input_count;
    }
    return !count || hd_suite_maker_keep(x, tests, count, error);
}

static bool explore(hd_suite_maker *x, const hd_suite_maker_config *config, const hd_program *program,
    hd_progress *progress, hd_error *error)
{
    bool open = hd_suite_maker_open(x, config, program, progress, error),
         explored = open && hd_suite_maker_explore(x, error);
    if (open && !explored)
        hd_suite_maker_close(x);
    return explored;
}

/* Makes or updates a suite. `old`: the manifest of the existing suite or NULL; `records`: its tests. */
static int make(const suite_options *o, const hd_suite_maker_config *config, const hd_program *program,
    const char *folder, hd_suite_manifest *m, const hd_suite_manifest *old, const hd_record *records, hd_arena *arena)
{
    hd_error error = { "" };
    hd_progress progress;
    hd_suite_maker x;
    hd_progress_open(&progress);
    bool open = explore(&x, config, program, &progress, &error);
    bool fine = open && (!old || keep_old_tests(&x, old, records, arena, &error)) && hd_suite_maker_add(&x, &error);
    hd_progress_close(&progress);
    if (!fine) {
        if (open)
            hd_suite_maker_close(&x);
        return fail(error.text);
    }
    m->lower = x.lower;
    m->complete = is_complete(&x);
    fine = hd_suite_folder_write(folder, m, &x, program, arena, &error);
    uint32_t tests = hd_suite_maker_count(&x, HD_SUITE_KEPT) + hd_suite_maker_count(&x, HD_SUITE_ADDED);
    /* Say what happened to each test only if there were tests before. */
    if (fine && old)
        print_updates(&x);
    if (fine) {
        print_findings(&x, folder);
        print_verdict(&x, o, folder, tests);
    }
    fine = fine && (!o->json || write_json(&x, o, program, folder, tests, &error));
    int status = fine ? status_of(&x) : fail(error.text);
    hd_suite_maker_close(&x);
    return status;
}

/* An update takes its settings from the manifest. */
static void adopt(suite_options *o, const hd_suite_manifest *old)
{
    /* The same goals as before, so that keys in the manifest keep their meaning. */
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

static int update(suite_options *o, hd_arena *arena)
{
    hd_error error = { "" };
    hd_suite_manifest old, m = { .cflags = "" };
    hd_program program;
    hd_suite_maker_config config;
    int status = HD_EXIT_USAGE;
    if (!hd_suite_manifest_read(&old, o->update, arena, &error)) {
        hd_suite_manifest_fini(&old);
        return fail(error.text);
    }
    adopt(o, &old);
    for (size_t i = 0; i < old.sources.count; i++)
        hd_vec_push(&m.sources,
            hd_arena_print(arena, *old.sources.items[i] == '/' ? "%.0s%s" : "%s/%s", o->update, old.sources.items[i]));
    m.cflags = o->cflags;
    old.cflags = old.sources.count ? build_flags(o, arena) : "";
    m.net = o->net;
    m.cover = o->cover;
    m.method = o->method;
    hd_record *records = hd_arena_alloc(arena, (old.tests.count + 1) * sizeof *records);
    if (hd_suite_folder_read(o->update, &old, records, arena, &error)
        && hd_suite_folder_program(o->update, &old, &program, arena, &error) && configure(&config, o, arena, &error)) {
        number_threads_as(records, old.tests.count, &config);
        program.symbolic = m.symbolic = old.symbolic;
        status = make(o, &config, &program, o->update, &m, &old, records, arena);
    } else {
        fail(error.text);
    }
    hd_suite_manifest_fini(&old);
    hd_suite_manifest_fini(&m);
    return status;
}

static bool is_source(const char *word)
{
    size_t length = strlen(word);
    return length > 2 && !strcmp(word + length - 2, ".c");
}

static int create(const suite_options *o, char **words, int count, int dashes, hd_arena *arena)
{
    hd_error error = { "" };
    hd_program program;
    hd_suite_maker_config config;
    hd_suite_manifest m = { .cflags = o->cflags, .net = o->net, .cover = o->cover, .method = o->method };
    bool sources = false;
    for (int i = 0; i < dashes; i++)
        sources |= is_source(words[i]);
    for (int i = 0; i < dashes && sources; i++)
        hd_vec_push(&m.sources, words[i]);
    int status = HD_EXIT_USAGE;
    hd_symbolic_options symbolic = { { o->sym_arg.items, o->sym_arg.count }, { o->sym_file.items, o->sym_file.count },
        { o->sym_env.items, o->sym_env.count }, o->sym_stdin };
    uint32_t last_argument = 0;
    if (configure(&config, o, arena, &error) && hd_symbolic_lines(&symbolic, arena, &m.symbolic, &last_argument, &error)
        && hd_program_find(
            &program, words, count, dashes, sources ? build_flags(o, arena) : o->cflags, arena, &error)) {
        hd_program_make_unknown(&program, m.symbolic, last_argument, arena);
        status = make(o, &config, &program, o->o, &m, NULL, NULL, arena);
    } else {
        fail(error.text);
    }
    hd_suite_manifest_fini(&m);
    return status;
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
    bool unknowns = o.sym_arg.count || o.sym_file.count || o.sym_env.count || o.sym_stdin;
    if (o.update && (count || o.o || unknowns))
        return fail("--update takes its program, what is unknown and its folder from the suite: 'heddle suite "
                    "--update DIR' is all");
    if (!o.update && !o.o)
        return fail("no folder given: 'heddle suite PROGRAM -o DIR' writes the tests to the folder DIR");
    hd_arena_init(&arena, &hd_heap);
    hd_program_trust((hd_word_list) { o.trust.items, o.trust.count }, &arena);
    int status = o.update ? update(&o, &arena) : create(&o, argv, count, dashes, &arena);
    hd_arena_fini(&arena);
    return fflush(stdout) ? fail("standard output cannot be written") : status;
}
