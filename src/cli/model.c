/* heddle model: reachability analysis of a message-passing model. */
#include "model/report.h"
#include "promela/parser.h"
#include "promela/source.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

int hd_cli_verb_model(int argc, char **argv);

#define HD_VERB model
#define MODEL_OPTIONS
#include "cli/verb_options.h"

static const hd_cli_usage usage = { "model [OPTIONS] FILE.pml",
    "Explores the reachable states of a Promela model and reports deadlocks, assertion violations, messages that\n"
    "are never received, statements that are never reached, and violated ltl formulae and never claims. For\n"
    "models whose processes only exchange messages, --reduce=bsra and por find the same deadlocks in far fewer\n"
    "states.",
    rows, sizeof rows / sizeof *rows };

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    interrupted = 1;
    signal(signal_number, SIG_DFL); /* a second one ends the search at once */
}

/* --- options --------------------------------------------------------------------------------------------- */

static bool read_scheme(const char *name, hd_model_scheme *scheme, hd_error *error)
{
    *scheme = !strcmp(name, "fifo") ? HD_MODEL_SCHEME_FIFO
        : !strcmp(name, "async")    ? HD_MODEL_SCHEME_ASYNC
                                    : HD_MODEL_SCHEME_CAUSAL;
    return *scheme != HD_MODEL_SCHEME_CAUSAL || !strcmp(name, "causal")
        || hd_fail(error, "--scheme expects causal, fifo or async, not '%s'", name);
}

static bool has_jobs(const hd_model_search *s)
{
    return s->has_jobs;
}

static bool has_edges(const hd_model_search *s)
{
    return s->has_edges;
}

static bool has_trails(const hd_model_search *s)
{
    return s->has_trails;
}

/* The search that --reduce names, if it supports the other options. */
static const hd_model_search *read_search(const model_options *options, hd_error *error)
{
    char names[128];
    const hd_model_search *s = hd_model_search_find(options->reduce);
    if (!s) {
        hd_model_search_names(NULL, names, sizeof names);
        hd_fail(error, "--reduce expects %s, not '%s'", names, options->reduce);
    } else if (options->dot && !s->has_edges) {
        hd_model_search_names(has_edges, names, sizeof names);
        hd_fail(error, "--dot goes with --reduce=%s", names);
    } else if (options->jobs > 1 && !s->has_jobs) {
        hd_model_search_names(has_jobs, names, sizeof names);
        hd_fail(error, "--jobs goes with --reduce=%s: a search with sleep sets is sequential", names);
    } else if (options->trail && (!s->has_trails || strcmp(options->scheme, "causal"))) {
        hd_model_search_names(has_trails, names, sizeof names);
        hd_fail(error, "--trail is for SPIN, so it goes with --scheme=causal and --reduce=%s", names);
    } else {
        return s;
    }
    return NULL;
}

static bool read_request(const model_options *options, hd_model_request *r, hd_error *error)
{
    *r = (hd_model_request) { .search = read_search(options, error),
        .limits = { .max_states = (uint64_t)options->max_states,
            .memory = (uint64_t)options->memory << 20,
            .interrupted = &interrupted,
            .progress = isatty(STDERR_FILENO),
            .jobs = (int)options->jobs,
            .most_findings = options->all ? 1000 : 10,
            .empty_channels = !strcmp(options->final, "empty") },
        .claim = options->claim,
        .liveness = options->liveness,
        .fair = options->fair,
        .shortest = options->shortest,
        .dot = options->dot };
    if (!r->search)
        return false;
    if (options->jobs < 1 || options->jobs > 64)
        return hd_fail(error, "--jobs expects a number from 1 to 64");
    if (!read_scheme(options->scheme, &r->scheme, error))
        return false;
    return !strcmp(options->final, "ends") || !strcmp(options->final, "empty")
        || hd_fail(error, "--final expects ends or empty, not '%s'", options->final);
}

/* --- the command ------------------------------------------------------------------------------------------ */

static hd_promela_program *load(const char *file, const model_options *options, hd_error *error)
{
    hd_arena arena;
    hd_arena_init(&arena, &hd_heap);
    char *text = hd_promela_source_read(file, options->define, &arena, error);
    hd_promela_model *model = text ? hd_promela_parse(file, text, error) : NULL;
    hd_arena_fini(&arena);
    if (!model)
        return NULL;
    hd_promela_node *invariant = NULL;
    if (options->invariant
        && !(invariant = hd_promela_parse_expression(model, "--invariant", options->invariant, error))) {
        hd_promela_model_close(model);
        return NULL;
    }
    return hd_promela_compile(model, invariant, error);
}

/* The exit status, or -1 with an error. */
static int report(const hd_model_check *c, const model_options *options, hd_error *error)
{
    hd_model_report_text(c, options->all);
    if ((options->json && !hd_model_report_json(c, options->json, error))
        || (options->trail && !hd_model_report_trail(c, options->trail, error)))
        return -1;
    return hd_model_check_found(c) ? HD_EXIT_FOUND : hd_model_check_complete(c) ? HD_EXIT_CLEAN : HD_EXIT_BOUND;
}

static int run(const char *file, const model_options *options, hd_error *error)
{
    hd_model_request request;
    hd_model_check check;
    if (!read_request(options, &request, error))
        return -1;
    hd_promela_program *p = load(file, options, error);
    if (!p)
        return -1;
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    int status = -1;
    if (hd_model_check_open(&check, p, &request, error)) {
        if (hd_model_check_run(&check, error))
            status = report(&check, options, error);
        hd_model_check_close(&check);
    }
    hd_promela_program_close(p);
    return status;
}

int hd_cli_verb_model(int argc, char **argv)
{
    model_options options = defaults;
    hd_error error;
    int count, dashes;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            hd_cli_help(&usage, stdout);
            return HD_EXIT_CLEAN;
        }
    int status = -1;
    if (hd_cli_parse(&usage, argc, argv, &options, &count, &dashes, &error)) {
        if (count == 1)
            status = run(argv[0], &options, &error);
        else
            hd_fail(&error, "expected one model, got %d files (see 'heddle model --help')", count);
    }
    if (status < 0) {
        fprintf(stderr, "heddle: %s\n", error.text);
        return HD_EXIT_USAGE;
    }
    return status;
}
